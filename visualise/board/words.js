// The words of the interface, from words.json and those of a page.
let spoken = {};
let plural = new Intl.PluralRules("en");

export function speak(given) {
  spoken = given;
  plural = new Intl.PluralRules(given.language);
}

// Return the words called `key`, with values put in at {name}; of several forms the one that fits {n}.
export function say(key, values = {}) {
  const found = spoken[key] ?? key;
  const form = typeof found === "string" ? found : (found[plural.select(values.n)] ?? found.other);
  return form.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
