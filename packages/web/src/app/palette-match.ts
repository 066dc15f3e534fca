/** Whether each word of a search is in the name of an entry, or begins one of its further words. */
export function isMeant(query: string, label: string, further = ''): boolean {
  const name = label.toLowerCase()
  const others = further.split(' ')
  const words = query.trim().toLowerCase().split(/\s+/)
  return words.every((word) => name.includes(word) || others.some((one) => one.startsWith(word)))
}
