import type { ReactNode } from 'react'
import { boot } from '#src/boot.ts'
import { auditWords as arabic } from '#src/messages/ar/audit-words.ts'
import { auditWords as english } from '#src/messages/en/audit-words.ts'
import { type Entry, type Names, sentenceOf, type Words } from '#src/pages/trust/sentence-of.ts'

export const words: Words = boot.locale === 'ar' ? arabic : english

/** An entry as a sentence: "Sara Lind published Invoices (version 4)". */
export function AuditSentence({ entry, names }: { readonly entry: Entry; readonly names: Names }) {
  const { pattern, parts } = sentenceOf(entry, names, words)
  return (
    <span>
      {pattern.split(/(?<part>\{\w+\})/).map((text, index) => {
        const part = parts[text.slice(1, -1)]
        return part === undefined || !text.startsWith('{') ? text : <Part key={index} name={text.slice(1, -1)} text={part} />
      })}
    </span>
  )
}

/** Words of ours; the other places have names and what people wrote. */
const plain: ReadonlySet<string> = new Set(['verb', 'noun', 'state', 'open', 'role', 'proposal'])

function Part({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  return plain.has(name) ? text : <bdi className="b">{text}</bdi>
}
