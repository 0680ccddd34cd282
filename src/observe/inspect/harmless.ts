/** JSON that stands in a page. Pure. */

/** Where `<` stands in JSON it stands in a text: nothing there can end the element, or begin another. */
export function harmless(json: string): string {
  return json.replaceAll(/[<\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
