import { fold, wordsOf } from '#platform/search/fold.ts'
import type { Template } from './model.ts'

export interface TemplateFilter {
  readonly category: string | undefined
  readonly tag: string | undefined
  readonly text: string | undefined
}

/** The templates that match a filter, by id; and how many of each category match the rest of it. */
export function findTemplates(templates: readonly Template[], { category, tag, text }: TemplateFilter) {
  const words = wordsOf(text ?? '')
  const matching = templates.filter((template) => (tag === undefined || template.tags.includes(tag)) && hasWords(template, words))
  const counts = new Map<string, number>()
  for (const template of matching) counts.set(template.category, (counts.get(template.category) ?? 0) + 1)
  const found = matching.filter((template) => category === undefined || template.category === category)
  return {
    found: found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    categories: [...counts].map(([name, count]) => ({ name, count })).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  }
}

function hasWords({ id, title, description, translations, tags }: Template, words: readonly string[]): boolean {
  const translated = Object.values(translations).flatMap((one) => [one.title, one.summary])
  const searched = fold([id, title, description, ...tags, ...translated].join(' '))
  return words.every((word) => searched.includes(word))
}
