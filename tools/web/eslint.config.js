// The page's lint rules.
const js = require("@eslint/js");

const browser = [
  "AbortController",
  "Blob",
  "CSS",
  "Element",
  "Event",
  "FormData",
  "HTMLElement",
  "Image",
  "Intl",
  "Node",
  "TextDecoder",
  "URL",
  "URLSearchParams",
  "XMLSerializer",
  "addEventListener",
  "clearTimeout",
  "customElements",
  "document",
  "fetch",
  "getComputedStyle",
  "history",
  "localStorage",
  "location",
  "matchMedia",
  "navigator",
  "requestAnimationFrame",
  "setTimeout",
  "window",
];

module.exports = [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: "module",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
    },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-implicit-globals": "error",
      "no-shadow": "error",
    },
  },
];
