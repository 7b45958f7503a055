// The little that HTML alone cannot do. Every page works without it.
"use strict";

const root = document.documentElement;

function setTheme(theme) {
  root.dataset.theme = theme;
  try { localStorage.setItem("threadmill-theme", theme); } catch { /* private windows have no storage */ }
}

function startThemeSwitch() {
  const button = document.querySelector("[data-theme-switch]");
  if (!button) return;
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const show = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => { setTheme(isDark() ? "light" : "dark"); show(); });
  show();
}

// Forms that are sent as soon as a field changes. Their button is for browsers without scripts.
function startAutoSubmit() {
  for (const form of document.querySelectorAll("form[data-auto-submit]")) {
    form.addEventListener("change", () => form.requestSubmit());
    for (const button of form.querySelectorAll("button:not([name])")) button.hidden = true;
  }
}

// Parts of a page that the server keeps current by events. Nothing changes under a focused button.
function startLive() {
  for (const part of document.querySelectorAll("[data-live]")) {
    const source = new EventSource(part.dataset.live);
    source.onmessage = (event) => {
      if (!part.contains(document.activeElement)) part.innerHTML = JSON.parse(event.data);
    };
    source.addEventListener("done", () => { source.close(); location.reload(); });
    addEventListener("pagehide", () => source.close());
  }
}

// Forms whose answer replaces a part of the page, while a slider moves.
function startSwap() {
  for (const form of document.querySelectorAll("form[data-swap]")) {
    const part = document.getElementById(form.dataset.swap);
    let busy = false, again = false;
    const load = async () => {
      if (busy) { again = true; return; }
      busy = true;
      const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
      try {
        const answer = await fetch(`${address}&part=1`);
        if (answer.ok) {
          part.innerHTML = await answer.text();
          history.replaceState(null, "", address);
        }
      } finally {
        busy = false;
        if (again) { again = false; load(); }
      }
    };
    form.addEventListener("input", load);
    for (const button of form.querySelectorAll("button:not([name])")) button.hidden = true;
  }
}

try {
  const kept = localStorage.getItem("threadmill-theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
} catch { /* no storage */ }
startThemeSwitch();
startAutoSubmit();
startLive();
startSwap();
