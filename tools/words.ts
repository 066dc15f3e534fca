import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readTexts } from './read-texts.ts'
import { checkedTexts } from './words/checked-texts.ts'
import { checkWords, lowerCounts, type RemainingWords } from './words/word-check.ts'

// "npm run words": lists banned words and lowers the counts of tools/words/remaining.json to what is left.
const path = new URL('./words/remaining.json', import.meta.url)
const texts = checkedTexts(readTexts(fileURLToPath(new URL('../', import.meta.url))))
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A file of this folder, which only this program writes.
const remaining = JSON.parse(await readFile(path, 'utf8')) as RemainingWords
const lowered = lowerCounts(texts, remaining)
await writeFile(path, `${JSON.stringify(lowered, undefined, 2)}\n`)
const violations = checkWords(texts, lowered)
console.log([...violations, `${violations.length} banned words; ${Object.keys(lowered).length} files keep old ones.`].join('\n'))
process.exitCode = violations.length === 0 ? 0 : 1
