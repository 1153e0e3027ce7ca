// The order of search results: pages as the table of contents has them, the pages of the API last.
"use strict";

const places = new Map();

function place(page) {
  if (places.size === 0) {
    const links = document.querySelectorAll(".sidebar-tree a");
    for (const link of links) {
      const name = link.getAttribute("href").replace(/\.html.*$/, "");
      if (!places.has(name)) places.set(name, places.size / links.length);
    }
  }
  return places.get(page) ?? 1;
}

var Scorer = {
  // less than one point for the place: it decides among pages that match equally well
  score: ([page, , , , score]) =>
    page.startsWith("api/") ? score / 10 - 1 : score - place(page),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
