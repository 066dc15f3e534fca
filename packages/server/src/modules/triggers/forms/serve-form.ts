import { createHash } from 'node:crypto'
import { type ErrorCode, errorCatalogue, Fault } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { findInputShapes } from '#modules/workflows/index.ts'
import { isOfServer } from '#modules/executions/index.ts'
import { listens, assertAddress } from '#modules/triggers/webhooks/read-request.ts'
import type { ReceiveDeps, Webhook } from '#modules/triggers/webhooks/receive-deps.ts'
import type { RateLimit, RawHttpRequest, RawReply } from '#platform/http/index.ts'
import { preferredLocale } from '#platform/mail/templates/preferred-locale.ts'
import { formPage, plainPage, type ShownForm } from './form-page.ts'
import { type FormShape, formShapeOf, idField, trapField } from './form-fields.ts'
import { type FormLocale, formTexts } from './form-texts.ts'
import { defaultsOf, fieldAt, type Filled, filledOf, pointerOf, readForm, valueOf, wordsOf } from './read-form.ts'
import { isOfValues, type ReadSubmission } from './submission.ts'

type Accept = (webhook: Webhook, request: RawHttpRequest, read: ReadSubmission) => Promise<unknown>

type FormDeps = Pick<ReceiveDeps, 'database' | 'now' | 'newId'>

interface Doors {
  readonly accept: Accept
  readonly acceptTest: Accept
}

type FormWebhook = Webhook & { readonly webhook: { readonly form: NonNullable<Webhook['webhook']['form']> } }

/** Why a form cannot be filled in now. */
type Closed = 'closed' | 'broken'

const formTypes: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** Shows the forms of webhooks, and takes what people fill in through the door of every other request. */
export function createFormServer(deps: FormDeps, { accept, acceptTest }: Doors) {
  /** The form of the published version, or for a test that of the draft. */
  async function shapeOf({ accountId, workflowId }: Webhook, isTest: boolean): Promise<FormShape | Closed> {
    const found = await findInputShapes(deps.database.system, accountId, [workflowId], isTest ? 'draft' : 'version')
    const input = found.get(workflowId)
    if (input?.exists !== true || !(input.enabled || isTest)) return 'closed'
    const shape = formShapeOf(input.schema)
    return 'problem' in shape ? 'broken' : shape
  }

  async function show(webhook: FormWebhook, request: RawHttpRequest, isTest: boolean): Promise<RawReply> {
    const locale = localeOf(request.headers)
    const texts = formTexts[locale]
    const { form } = webhook.webhook
    try {
      assertAddress(webhook.webhook, request.ip)
    } catch (error) {
      if (error instanceof Fault) return plainPage(errorCatalogue[error.code].status, locale, texts.refused)
      throw error
    }
    if (request.query['sent'] !== undefined)
      return plainPage(200, locale, [form.title ?? texts.sent[0], form.thanks ?? texts.sent[1]], texts.another)
    if (isTest && !listens(webhook, deps.now())) return plainPage(409, locale, texts.notListening)
    const shape = webhook.enabled || isTest ? await shapeOf(webhook, isTest) : 'closed'
    if (typeof shape === 'string') return plainPage(409, locale, texts[shape])
    return formPage(200, {
      ...frameOf(webhook, shape, { locale, isTest }),
      id: deps.newId(),
      filled: defaultsOf(shape),
      problems: new Map(),
      notice: undefined,
    })
  }

  async function take(webhook: FormWebhook, request: RawHttpRequest, isTest: boolean): Promise<RawReply> {
    const locale = localeOf(request.headers)
    const texts = formTexts[locale]
    const { form } = webhook.webhook
    let shape: FormShape | undefined
    let filled: Filled = new Map()
    let sent: Awaited<ReturnType<ReadSubmission>> | undefined
    let isTrapped = false
    let problems: ReadonlyMap<string, string> = new Map()
    try {
      await (isTest ? acceptTest : accept)(webhook, request, async (body) => {
        filled = filledOf(body)
        isTrapped = (filled.get(trapField)?.[0] ?? '') !== ''
        if (isTrapped) throw new Fault('forbidden', { detail: 'The hidden field of the form was filled in, as programs do.' })
        shape = assertOpen(await shapeOf(webhook, isTest))
        const { localTimes } = await import('./local-times.ts')
        const read = readForm(shape, filled, texts, localTimes(form.timeZone, deps.now()))
        problems = read.problems
        if (problems.size > 0)
          throw new Fault('input_invalid', {
            detail: 'The form was not filled in as the input schema wants it.',
            errors: shape.fields
              .filter(({ name }) => problems.has(name))
              .map((field) => ({ pointer: `/input${pointerOf(field)}`, detail: 'Is missing or has the wrong type.' })),
          })
        const deliveryId = idOf(filled)
        // The same form with other values, as after a step back, is another submission.
        const digest = createHash('sha256').update(JSON.stringify(read.input)).digest('base64url')
        sent = {
          content: { body: read.input, deliveryId: deliveryId ?? null },
          deliveryId,
          cause: deliveryId && `form:${deliveryId}:${digest}`,
        }
        return sent
      })
      return thanks
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      if (isTrapped) return thanks
      const { status } = errorCatalogue[error.code]
      const closed = closedBy(error.code)
      if (closed !== undefined) return plainPage(status, locale, texts[closed])
      if (shape === undefined) return plainPage(status, locale, [texts.refused[0], texts.notTaken])
      if (isOfValues(error.code) && problems.size === 0) problems = problemsOf(error, shape, sent?.content['body'], locale)
      return formPage(status, {
        ...frameOf(webhook, shape, { locale, isTest }),
        id: idOf(filled) ?? deps.newId(),
        filled,
        problems,
        notice: problems.size > 0 ? undefined : noticeOf(error.code, locale),
      })
    }
  }

  return {
    /** The response to a request of a person; undefined for one of a program, and without a form. */
    async serve(webhook: Webhook, request: RawHttpRequest, isTest: boolean): Promise<RawReply | undefined> {
      if (!hasForm(webhook)) return undefined
      if (isShown(request)) return show(webhook, request, isTest)
      return isSentByPage(request) ? take(webhook, request, isTest) : undefined
    },
    /** The page for a request whose body was not read; undefined for one of a program, unless it is over the rate limit. */
    refused: (request: Pick<RawHttpRequest, 'method' | 'headers'>, code: ErrorCode): RawReply | undefined => {
      const locale = localeOf(request.headers)
      if (code === 'rate_limited') return plainPage(429, locale, formTexts[locale].tooMany)
      if (code === 'payload_too_large' && isSentByPage(request)) return plainPage(413, locale, formTexts[locale].tooLarge)
      return undefined
    },
    /** How much one address may ask of a form; programs are bound by the limit of the webhook alone. */
    visitorRate: (request: Pick<RawHttpRequest, 'method' | 'headers'>): RateLimit | undefined =>
      isShown(request) || isSentByPage(request) ? visitorRate : undefined,
  }
}

/** Requests of one address to one form: many people may share an address. */
const visitorRate: RateLimit = { limit: 60, windowSeconds: 60 }

function isShown({ method }: Pick<RawHttpRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isSentByPage({ headers }: Pick<RawHttpRequest, 'headers'>): boolean {
  return formTypes.has(headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Another page, so that reloading it sends nothing. */
const thanks: RawReply = { status: 303, headers: { location: '?sent=1' }, body: '' }

function hasForm(webhook: Webhook): webhook is FormWebhook {
  return webhook.webhook.form !== undefined
}

function localeOf(headers: RawHttpRequest['headers']): FormLocale {
  return preferredLocale(headers['accept-language'])
}

function frameOf(
  { webhook: { form }, name }: FormWebhook,
  shape: FormShape,
  where: Pick<ShownForm, 'locale' | 'isTest'>,
): Pick<ShownForm, 'locale' | 'isTest' | 'settings' | 'shape' | 'title'> {
  return { ...where, settings: form, shape, title: form.title ?? shape.title ?? name }
}

function assertOpen(shape: FormShape | Closed): FormShape {
  if (shape === 'closed') throw new Fault('workflow_disabled', { detail: 'The workflow is disabled or has no published version.' })
  if (shape === 'broken') throw new Fault('form_invalid', { detail: 'The input schema of the workflow cannot be filled in by a form.' })
  return shape
}

function closedBy(code: ErrorCode): 'closed' | 'broken' | 'notListening' | 'refused' | undefined {
  switch (code) {
    case 'trigger_disabled':
    case 'workflow_disabled':
    case 'workflow_not_published':
    case 'not_found':
      return 'closed'
    case 'form_invalid':
      return 'broken'
    case 'trigger_not_listening':
      return 'notListening'
    case 'forbidden':
      return 'refused'
    default:
      return undefined
  }
}

function noticeOf(code: ErrorCode, locale: FormLocale): string {
  const texts = formTexts[locale]
  if (code === 'personal_data_blocked') return texts.personal
  return isOfServer(code) || code === 'quota_exceeded' ? texts.later : texts.notTaken
}

/** What the validator or the privacy policy refused, at the fields. */
function problemsOf({ code, details }: Fault, shape: FormShape, input: Json | undefined, locale: FormLocale): ReadonlyMap<string, string> {
  const texts = formTexts[locale]
  const found = new Map<string, string>()
  for (const { pointer, detail } of details.errors ?? []) {
    const field = fieldAt(shape, pointer)
    if (field === undefined) continue
    const words = code === 'personal_data_blocked' ? texts.personal : wordsOf(field, valueOf(field, input), texts)
    found.set(field.name, words ?? `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`)
  }
  return found
}

/** The id of a form as it was shown. */
function idOf(filled: Filled): string | undefined {
  const [id = ''] = filled.get(idField) ?? []
  return /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}
