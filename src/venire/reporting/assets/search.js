"use strict";
// Hides the cases that do not hold the words searched for, or are not of the chosen kind. Nothing is sent anywhere.
(() => {
  for (const field of document.querySelectorAll("[data-find]")) {
    const name = field.dataset.find;
    const kind = document.querySelector(`[data-kind="${name}"]`);
    const told = document.querySelector(`[data-found="${name}"]`);
    const cases = [...document.getElementById(name).children].map((one) => [one, one.textContent.toLowerCase()]);

    function show() {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let n = 0;
      for (const [one, text] of cases) {
        const fits = (!kind.value || one.dataset.kind === kind.value) && words.every((word) => text.includes(word));
        one.hidden = !fits;
        n += fits;
      }
      told.textContent = `${n} of ${cases.length}`;
    }

    field.addEventListener("input", show);
    kind.addEventListener("change", show);
  }
})();
