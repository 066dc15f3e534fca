import type { PersonalDataKind } from '@millrace/contract'
import { detect, type DetectOptions } from './detect/detector.ts'
import { redactText } from './redact.ts'

/** Texts with placeholders in place of personal data, and the way back. */
export interface Placeholders {
  readonly texts: readonly string[]
  /** Puts the data back in the place of its placeholders. */
  restore(text: string): string
  /** The same inside the text of a JSON document. */
  restoreJson(text: string): string
}

const placeholder = /<[A-Z_]+_\d+>/g

/** Replaces each finding by a placeholder such as `<EMAIL_1>`; the same data has the same one in all texts. */
export function withPlaceholders(texts: readonly string[], options: DetectOptions): Placeholders {
  const names = new Map<string, string>()
  const originals = new Map<string, string>()
  const counts = new Map<PersonalDataKind, number>()

  function nameOf(found: string, kind: PersonalDataKind): string {
    const known = names.get(found)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `<${kind.toUpperCase()}_${count}>`
    names.set(found, name)
    originals.set(name, found)
    return name
  }

  function replaced(text: string): string {
    let result = ''
    let last = 0
    for (const { start, end, kind } of detect(text, options)) {
      result += text.slice(last, start) + nameOf(text.slice(start, end), kind)
      last = end
    }
    return result + text.slice(last)
  }

  return {
    texts: texts.map(replaced),
    restore: (text) => text.replaceAll(placeholder, (name) => originals.get(name) ?? name),
    restoreJson: (text) =>
      text.replaceAll(placeholder, (name) => {
        const original = originals.get(name)
        return original === undefined ? name : JSON.stringify(original).slice(1, -1)
      }),
  }
}

/** Findings in texts by kind. */
export function detectIn(texts: readonly string[], options: DetectOptions): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const text of texts) for (const { kind } of detect(text, options)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** The kinds of personal data in texts. */
export function kindsIn(texts: readonly string[], kinds: ReadonlySet<PersonalDataKind>): readonly PersonalDataKind[] {
  return [...new Set(texts.flatMap((text) => detect(text, { kinds }).map(({ kind }) => kind)))]
}

/** A text with `<KIND>` in place of personal data. */
export function redactAll(text: string, kinds: ReadonlySet<PersonalDataKind>): string {
  return redactText(text, detect(text, { kinds }), { operatorOf: () => 'replace' })
}
