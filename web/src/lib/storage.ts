// What this browser remembers of the person. One without storage forgets; nothing else changes.

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`boardzero.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string) {
  try {
    localStorage.setItem(`boardzero.${key}`, value);
  } catch {
    // Forgotten with the page.
  }
}
