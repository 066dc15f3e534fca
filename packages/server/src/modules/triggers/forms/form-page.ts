import { createHash } from 'node:crypto'
import { formYears } from '@millrace/contract'
import type { StartFormSettings } from '#modules/triggers/model.ts'
import type { RawReply } from '#platform/http/index.ts'
import { Html, html } from '#platform/html.ts'
import { type FormField, type FormGroup, type FormShape, idField, trapField } from './form-fields.ts'
import type { Filled } from './read-form.ts'
import { type FormLocale, type FormTexts, formTexts, sizeText, typesText } from './form-texts.ts'

/** A page with the form. */
export interface ShownForm {
  readonly locale: FormLocale
  readonly settings: StartFormSettings
  readonly shape: FormShape
  readonly title: string
  readonly isTest: boolean
  /** By which the server recognizes the same form sent twice. */
  readonly id: string
  readonly filled: Filled
  /** Names of the fields whose file was sent, and is to be chosen again. */
  readonly again: ReadonlySet<string>
  /** What is wrong, by the name of the field. */
  readonly problems: ReadonlyMap<string, string>
  /** What is wrong with the whole. */
  readonly notice: string | undefined
}

const style = `:root{color-scheme:light dark;--ink:#1b1f24;--soft:#59636e;--paper:#fff;--ground:#f4f5f7;--line:#8c959f;--accent:#0b57d0;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#a5adb7;--paper:#1c2024;--ground:#121417;--line:#6b7480;--accent:#9ec1ff;--on:#0b1a33;--bad:#ff9c94}}
*{box-sizing:border-box}
body{margin:0;padding:16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:40rem;margin:0 auto;padding:24px;background:var(--paper);border-radius:12px;overflow-wrap:anywhere}
h1{margin:0 0 8px;font-size:1.5rem;line-height:1.25}
.text{white-space:pre-line;margin:0 0 16px}
.field,fieldset{margin:0 0 20px;padding:0;border:0;min-width:0}
.group{padding:12px 16px 0;border:1px solid var(--line);border-radius:8px}
.group>legend{padding:0 6px}
.group>.hint{margin-bottom:12px}
label,legend{display:block;font-weight:600;padding:0}
.tick{display:flex;gap:10px;align-items:flex-start;padding:8px 0;font-weight:400}
.tick input{width:20px;height:20px;margin:2px 0 0;flex:none;accent-color:var(--accent)}
.hint,.soft{color:var(--soft);font-weight:400;font-size:.875rem;margin:0;white-space:pre-line}
.field>input,.field>select,.field>textarea{display:block;width:100%;min-height:44px;margin-top:6px;padding:8px 12px;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
option{color:#1b1f24;background:#fff}
[aria-invalid]{border-color:var(--bad)!important}
.bad{color:var(--bad);margin:4px 0 0}
.notice{border:1px solid var(--bad);border-radius:8px;padding:12px 16px;margin:16px 0 20px}
.notice p{margin:0}
.notice ul{margin:4px 0 0;padding-inline-start:20px}
html[dir=ltr] :is(h1,p){text-align:left}
html[dir=rtl] :is(h1,p){text-align:right}
a{color:var(--accent)}
button{min-height:44px;padding:8px 24px;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:0;border-radius:8px;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.trap{position:absolute;inset-inline-start:-200vw;width:1px;height:1px;overflow:hidden}`

/** No script and nothing from elsewhere; the form may only be sent to this server. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The page with the form and what was filled in. */
export function formPage(status: number, shown: ShownForm): RawReply {
  const { locale, settings, shape, title, isTest, id, problems, notice } = shown
  const texts = formTexts[locale]
  const description = settings.description ?? shape.description
  const wrong = shape.fields.map((field, index) => ({ field, index })).filter(({ field }) => problems.has(field.name))
  return page(
    status,
    locale,
    title,
    html`<h1 dir="auto">${title}</h1>
${isTest ? html`<p class="soft">${texts.test}</p>` : undefined}
${description === undefined ? undefined : html`<p class="text" dir="auto">${description}</p>`}
${notice === undefined && wrong.length === 0 ? undefined : noticeOf(notice ?? texts.wrong, wrong)}
<form method="post" accept-charset="utf-8"${shape.fields.some(({ kind }) => kind === 'file') ? html` enctype="multipart/form-data"` : undefined}>
<input type="hidden" name="${idField}" value="${id}">
<div class="trap" aria-hidden="true"><label>${texts.trap}<input name="${trapField}" tabindex="-1" autocomplete="off"></label></div>
${groupsOf(shape.fields).map(({ group, fields }) => {
  const drawn = fields.map(({ field, index }) => fieldOf(field, index, shown, texts))
  return group === undefined ? html`${drawn}` : groupOf(group, drawn, texts)
})}
<button type="submit" dir="auto">${settings.button ?? texts.send}</button>
</form>`,
  )
}

interface Grouped {
  readonly group: FormGroup | undefined
  readonly fields: readonly { readonly field: FormField; readonly index: number }[]
}

/** The fields in their order; those of one object together. */
function groupsOf(fields: readonly FormField[]): readonly Grouped[] {
  const groups: { group: FormGroup | undefined; fields: { field: FormField; index: number }[] }[] = []
  for (const [index, field] of fields.entries()) {
    const last = groups.at(-1)
    if (last !== undefined && last.group === field.group) last.fields.push({ field, index })
    else groups.push({ group: field.group, fields: [{ field, index }] })
  }
  return groups
}

function groupOf({ label, hint, required }: FormGroup, fields: readonly Html[], texts: FormTexts): Html {
  const optional = required ? undefined : html` <span class="soft">(${texts.optional})</span>`
  const text = hint === undefined ? undefined : html`<p class="hint" dir="auto">${hint}</p>`
  return html`<fieldset class="group"><legend><span dir="auto">${label}</span>${optional}</legend>${text}
${fields}</fieldset>
`
}

/** A page without a form. */
export function plainPage(
  status: number,
  locale: FormLocale,
  [title, text]: readonly [title: string, text: string],
  link?: string,
): RawReply {
  const more = link === undefined ? undefined : html`<p><a href="?">${link}</a></p>`
  return page(status, locale, title, html`<h1 dir="auto">${title}</h1><p class="text" dir="auto">${text}</p>${more}`)
}

function page(status: number, locale: FormLocale, title: string, content: Html): RawReply {
  const { text } = html`<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${new Html(style)}</style></head>
<body><main>
${content}
</main></body>
</html>
`
  const headers = { 'content-security-policy': policy, 'x-robots-tag': 'noindex', 'content-type': 'text/html; charset=utf-8' }
  return { status, headers, body: text }
}

function noticeOf(text: string, wrong: readonly { readonly field: FormField; readonly index: number }[]): Html {
  const links = wrong.map(({ field, index }) => html`<li><a href="#f${index}" dir="auto">${field.label}</a></li>`)
  return html`<div class="notice" role="alert"><p dir="auto">${text}</p>${links.length === 0 ? undefined : html`<ul>${links}</ul>`}</div>`
}

function fieldOf(field: FormField, index: number, shown: ShownForm, texts: FormTexts): Html {
  const { name, kind, required, label } = field
  const { filled, problems } = shown
  const problem = problems.get(name)
  const hints = hintsOf(field, shown, texts).join('\n')
  const id = `f${index}`
  const about = [...(hints === '' ? [] : [`${id}h`]), ...(problem === undefined ? [] : [`${id}p`])].join(' ')
  const described = about === '' ? undefined : html` aria-describedby="${about}"`
  const state = html`${described}${problem === undefined ? undefined : html` aria-invalid="true"`}`
  const hint = hints === '' ? undefined : html`<p class="hint" id="${id}h" dir="auto">${hints}</p>`
  const message = problem === undefined ? undefined : html`<p class="bad" id="${id}p" dir="auto">${problem}</p>`
  const given = filled.get(name) ?? []
  const words = html`<span dir="auto">${label}</span>${required || kind === 'check' ? undefined : html` <span class="soft">(${texts.optional})</span>`}`
  if (kind === 'check')
    return html`<div class="field"><label class="tick"><input type="checkbox" id="${id}" name="${name}" value="true"${flag('checked', given.includes('true'))}${state}>${words}</label>${hint}${message}</div>
`
  if (kind === 'choices')
    return html`<fieldset id="${id}" tabindex="-1"${described}><legend>${words}</legend>${hint}${field.options.map(
      (option) =>
        html`<label class="tick"><input type="checkbox" name="${name}" value="${option.text}"${flag('checked', given.includes(option.text))}><span dir="auto">${option.label}</span></label>`,
    )}${message}</fieldset>
`
  return html`<div class="field"><label for="${id}">${words}</label>${hint}${controlOf(field, { id, state, text: given[0] ?? '', texts })}${message}</div>
`
}

/** What is said about a field beside its label. */
function hintsOf(
  { name, kind, hint, file }: FormField,
  { locale, settings, again, problems }: ShownForm,
  texts: FormTexts,
): readonly string[] {
  const hints = hint === undefined ? [] : [hint]
  if (kind === 'date-time' || kind === 'time') hints.push(texts.zone(settings.timeZone))
  if (file !== undefined) {
    const types = file.types.length === 0 ? [] : [texts.fileTypes(typesText(file.types, locale))]
    hints.push([...types, texts.fileMost(sizeText(file.bytesMax, locale))].join(' '))
  }
  if (again.has(name) && !problems.has(name)) hints.push(texts.chooseAgain)
  return hints
}

interface Control {
  readonly id: string
  readonly state: Html
  readonly text: string
  readonly texts: FormTexts
}

const inputTypes: Readonly<Record<string, string>> = {
  email: 'email',
  url: 'url',
  password: 'password',
  date: 'date',
  'date-time': 'datetime-local',
  time: 'time',
}

function controlOf({ name, kind, required, nullable, schema, options, group, file }: FormField, { id, state, text, texts }: Control): Html {
  const common = html` id="${id}" name="${name}"${flag('required', required && !nullable && group?.required !== false)}${state}`
  if (kind === 'choice')
    return html`<select${common}><option value="">${texts.choose}</option>${options.map(
      (option) => html`<option value="${option.text}"${flag('selected', option.text === text)}>${option.label}</option>`,
    )}</select>`
  const lengths = html`${bound('minlength', schema['minLength'])}${bound('maxlength', schema['maxLength'])}`
  // HTML drops the first line break.
  if (kind === 'lines')
    return html`<textarea rows="5"${common}${lengths} dir="auto">
${text}</textarea>`
  if (kind === 'number' || kind === 'integer') {
    const step = typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : kind === 'integer' ? 1 : 'any'
    return html`<input type="number" step="${step}"${common}${bound('min', schema['minimum'])}${bound('max', schema['maximum'])} value="${text}">`
  }
  if (file !== undefined) {
    const accept = file.types.length === 0 ? undefined : html` accept="${file.types.join(',')}"`
    return html`<input type="file"${common}${accept}>`
  }
  const type = inputTypes[kind] ?? 'text'
  const isDated = (kind === 'date' || kind === 'date-time') && schema['pattern'] === undefined
  const time = kind === 'date' ? ['', ''] : ['T00:00', 'T23:59']
  const years = isDated ? html` min="${formYears.first}-01-01${time[0] ?? ''}" max="${formYears.last}-12-31${time[1] ?? ''}"` : undefined
  // A password is not sent back.
  const value = kind === 'password' ? html` autocomplete="off"` : html` value="${text}"`
  return html`<input type="${type}"${common}${type === 'text' ? html` dir="auto"` : undefined}${lengths}${years}${value}>`
}

function flag(name: string, isSet: boolean): Html | undefined {
  return isSet ? new Html(` ${name}`) : undefined
}

function bound(name: string, value: unknown): Html | undefined {
  return typeof value === 'number' ? new Html(` ${name}="${value}"`) : undefined
}
