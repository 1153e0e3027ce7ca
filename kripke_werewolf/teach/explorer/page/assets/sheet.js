// A student's sheet in the storage of the browser: the state, what was typed last, and how often it was saved.
export function sheetOf(code, adopt) {
  const [stateKey, draftKey, savedKey] = ["state", "drafts", "saved"].map((name) => `kripke-sheet-${code}-${name}`);
  const read = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const write = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a browser without storage */ } };
  let drafts = JSON.parse(read(draftKey) ?? "{}");

  // another tab with the same sheet has changed it
  addEventListener("storage", ({ key, newValue }) => { if (key === stateKey && newValue) adopt(newValue); });

  return {
    kept: () => read(stateKey),
    keep(state) {
      write(stateKey, JSON.stringify(state));
      for (const [number, answer] of Object.entries(drafts)) if (state.answers?.[number]?.[0] === answer) delete drafts[number];
      write(draftKey, JSON.stringify(drafts));
    },
    draft(number, answer) {
      drafts[number] = answer;
      write(draftKey, JSON.stringify(drafts));
    },
    drafts: () => Object.entries(drafts).map(([number, answer]) => [Number(number), answer]),
    attempt() {
      write(savedKey, String(Number(read(savedKey) ?? 0) + 1));
      return Number(read(savedKey) ?? 1);
    },
  };
}
