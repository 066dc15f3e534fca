const camelCase = /^[a-z]+(?:[A-Z][a-z]+|\d+)*(?:[A-Z][A-Z0-9]*)?$/
const snakeCase = /^[a-z]+(?:_[a-z0-9]+)+$/

/** The name of a member as a label for people: `firstDay` and `first_day` as "First day". Names of other forms, such as "E-Mail" or "SKU", stay as they are. */
export function readableName(name: string): string {
  if (!camelCase.test(name) && !snakeCase.test(name)) return name
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z][a-z]+/g, (word) => ` ${word.toLowerCase()}`)
    .replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
