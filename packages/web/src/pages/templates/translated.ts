import type { groups, Reply } from '@millrace/contract'
import { boot } from '#src/boot.ts'

type Template = Reply<(typeof groups)['templates']['list']>['data'][number]

/** The title and the summary of a template in the language of the person, else as its author wrote them. */
export function translated({ title, summary, translations }: Pick<Template, 'title' | 'summary' | 'translations'>) {
  return translations[boot.locale] ?? { title, summary }
}
