/**
 * The name of a member as a label for people: `firstDay` and `first_day` as "First day". Names that begin with a capital letter or have other characters than
 * letters from A to Z, digits and `_`, such as "E-Mail" or "SKU", stay as they are.
 */
export function readableName(name: string): string {
  if (!/^[a-z]\w*$/.test(name)) return name
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
    .replaceAll(/ [A-Z](?=[a-z])/g, (start) => start.toLowerCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}
