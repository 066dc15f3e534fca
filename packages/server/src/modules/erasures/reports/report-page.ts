import { type Html, html } from '#platform/html.ts'
import { personCategoryName, personReason } from '@millrace/contract/person-categories'
import type { WhyKept } from './background.ts'
import type { AddedFile } from './report-files.ts'
import type { ReportSection, ShownRecord } from './report-records.ts'
import type { ReportLocale } from './report-store.ts'
import { reportTexts } from './messages/report-texts.ts'

export interface ReportSummary {
  readonly id: string
  readonly locale: ReportLocale
  readonly createdAt: Date
  readonly sections: readonly ReportSection[]
  readonly files: readonly AddedFile[]
}

/** What a person reads of a report: the records of each category with where, when and why they are kept. */
export function reportPage({ id, locale, createdAt, sections, files }: ReportSummary): string {
  const texts = reportTexts[locale]
  const present = sections.filter(({ records }) => records > 0)
  const page = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #1b1f24; background: #fff }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #c9d1d9 }
article { margin: 1.5rem 0 }
h3 { font-size: 1rem; margin: 0 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; margin: .25rem 0 }
dt { color: #57606a } dd { margin: 0; overflow-wrap: anywhere }
pre { background: #f6f8fa; padding: .5rem .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; direction: ltr; text-align: start }
</style>
</head>
<body>
<h1>${texts.title}</h1>
<p>${texts.about(timeOf(createdAt.toISOString()), id)}</p>
<p>${texts.json}</p>
${present.length === 0 && files.length === 0 ? html`<p>${texts.nothing}</p>` : ''}
<ul>${present.map(({ category, records }) => html`<li>${personCategoryName(category, locale)}: ${records}</li>`)}</ul>
${present.map((section) => sectionOf(section, locale))}
${files.length === 0 ? '' : filesOf(files, locale)}
</body>
</html>
`
  return page.text
}

function sectionOf({ category, records, shown }: ReportSection, locale: ReportLocale): Html {
  const more = records - shown.length
  return html`<section><h2>${personCategoryName(category, locale)}</h2>
${shown.map((record) => articleOf(record, locale))}
${more > 0 ? html`<p>${reportTexts[locale].more(more)}</p>` : ''}</section>
`
}

function articleOf(record: ShownRecord, locale: ReportLocale): Html {
  const texts = reportTexts[locale]
  const facts: readonly (readonly [string, string | undefined])[] = [
    [texts.record, record.id],
    [texts.workflow, record.workflow],
    [texts.run, record.executionId ?? undefined],
    [texts.fields, record.fields.join(', ')],
    ...record.why.flatMap((why) => reasonsOf(why, locale)),
  ]
  const at = record.at ?? undefined
  return html`<article><h3><bdi>${at === undefined ? (record.name ?? record.id) : timeOf(at)}</bdi></h3>
<dl>${facts.map(([name, value]) => (value === undefined ? '' : html`<dt>${name}</dt><dd><bdi>${value}</bdi></dd>`))}</dl>
<pre>${record.isShortened ? `${record.text}…\n${texts.shortened}` : record.text}</pre></article>
`
}

function reasonsOf(
  { purpose, legalBasis, retention, reason }: WhyKept,
  locale: ReportLocale,
): readonly (readonly [string, string | undefined])[] {
  const { bases, ...texts } = reportTexts[locale]
  return [
    [texts.purpose, purpose],
    [texts.legalBasis, legalBasis === undefined ? undefined : (bases[legalBasis] ?? legalBasis)],
    [texts.retention, retention],
    [texts.why, reason === undefined ? undefined : personReason(reason, locale)],
  ]
}

function filesOf(files: readonly AddedFile[], locale: ReportLocale): Html {
  return html`<section><h2>${reportTexts[locale].files}</h2>
<ul>${files.map(({ name, path }) => html`<li><a href="${encodeURI(path)}"><bdi>${name}</bdi></a></li>`)}</ul></section>
`
}

/** What the administrator reads before the report is handed over. */
export const guidanceOf = (locale: ReportLocale): string => reportTexts[locale].guidance

const timeOf = (iso: string) => `\u2066${iso.slice(0, 16).replace('T', ' ')} UTC\u2069`
