/** The texts whose words are checked. This folder, which lists the banned words, is left out. */
export function checkedTexts(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const checked = [...texts].filter(([path]) => !path.startsWith('tools/words/') && !path.endsWith('/package.json'))
  return new Map(checked.map(([path, text]) => [path, path.includes('/') ? text : withoutGlossary(text)]))
}

/** The glossary of CONTRIBUTING.md names the words that it rejects. */
function withoutGlossary(text: string): string {
  return text.replace(/^## Glossary$[^]*?(?=^## )/m, (section) => section.replaceAll(/[^\n]/g, ''))
}
