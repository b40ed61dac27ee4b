"use strict";
// Draws every plot of the page from the JSON beside it, in the colours of the page's own style.
(() => {
  const narrow = 560;

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  }

  function draw(holder) {
    const figure = JSON.parse(document.getElementById(holder.dataset.figure).textContent);
    for (const trace of figure.data) {
      if (!trace.meta) continue;
      for (const part of [trace.marker, trace.marker?.line, trace.line, trace.error_x, trace.error_y]) {
        if (part) part.color = colour(trace.meta);
      }
    }
    const layout = figure.layout;
    layout.paper_bgcolor = layout.plot_bgcolor = "rgba(0,0,0,0)";
    layout.font = { family: "system-ui, sans-serif", size: 13, color: colour("ink") };
    for (const name of Object.keys(layout).filter((key) => /^[xy]axis/.test(key))) {
      layout[name].gridcolor = colour("rule");
      layout[name].zerolinecolor = colour("faint");
    }
    layout.hoverlabel = { bgcolor: colour("paper"), bordercolor: colour("faint"), font: { color: colour("ink") } };
    for (const shape of layout.shapes ?? []) shape.line.color = colour("faint");
    if (holder.clientWidth < narrow && figure.short_labels) layout.yaxis.ticktext = figure.short_labels;
    Plotly.react(holder, figure.data, layout, { displayModeBar: false, responsive: true });
  }

  function drawAll() {
    for (const holder of document.querySelectorAll("[data-figure]")) draw(holder);
  }

  drawAll();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  matchMedia("print").addEventListener("change", drawAll);
})();
