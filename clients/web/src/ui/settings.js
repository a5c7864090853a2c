/**
 * Returns a setting that the browser keeps for the page; null if it has none or keeps nothing for this page.
 *
 * @param {string} name
 */
export function readSetting(name) {
  try {
    return localStorage.getItem(`nagare.${name}`);
  } catch {
    return null;
  }
}

/**
 * Saves a setting for the next visit.
 *
 * @param {string} name
 * @param {string} value
 * @returns {boolean} whether the browser keeps it
 */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(`nagare.${name}`, value);
    return true;
  } catch {
    return false;
  }
}
