import { einvoice as operations, Fault, type Received, type Reply } from '@millrace/contract'
import { type EffectCall, type Json, type JsonObject, standardError, textOf, WorkflowError } from '@millrace/engine'
import type { CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { fileView } from '#modules/connectors/code/files/file-view.ts'
import { type Action, platformFunction } from '#modules/connectors/code/platform-function.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Tx } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { createInput, createOutput, validateInput, validateOutput } from './einvoice-manifests.ts'

export interface EinvoiceConnectorDeps {
  readonly database: Pick<Database, 'account'>
  /** They are ready soon after the start of the process. */
  readonly einvoices: Promise<Einvoices>
  readonly accountFiles: Promise<AccountFiles>
}

type Source = Received<typeof operations.generate>['body']
type Findings = Reply<typeof operations.generate>['validation']['findings']

interface MadeEinvoice {
  readonly id: string
  readonly number: string
  readonly counter: number
  readonly xml: string
  readonly summary: { readonly currency: string; readonly totals: { readonly taxInclusive: number }; readonly findings: Readonly<Findings> }
}

/** The e-invoices of the platform. Fault `einvoice_invalid` for one that violates a rule. */
export interface Einvoices {
  /** @param call whose repetition returns what it made. */
  generate(tx: Tx, accountId: string, source: Source, call: string): Promise<MadeEinvoice>
  print(tx: Tx, accountId: string, id: string): Promise<{ readonly pdf: Buffer }>
  validate(accountId: string, source: Source): Promise<Readonly<Findings>>
}

/**
 * `einvoice.create` and `einvoice.validate`: e-invoices after EN 16931. A call that is repeated after a crash makes no second document, and gives the one
 * that it made.
 */
export function createEinvoiceConnector({ database, einvoices, accountFiles }: EinvoiceConnectorDeps): CodeConnector {
  const create: Action<Einvoices> = async (service, call, { folder, ...args }) => {
    const { accountId, idempotencyKey } = call
    try {
      const source = sourceIn(args)
      const made = await database.account(accountId, (tx) => service.generate(tx, accountId, source, idempotencyKey))
      const { pdf } = await database.account(accountId, (tx) => service.print(tx, accountId, made.id))
      const name = `${textOf(folder) ?? 'e-invoices'}/${made.number.replaceAll(/[^\p{L}\p{N}._-]/gu, '-')}-${made.counter}`
      const files = await accountFiles
      const write = async (ending: string, media: string, content: Buffer) =>
        fileView(
          await files.write(accountId, { name: `${name}.${ending}`, media, writtenBy: writerOf(call), expiresInMs: undefined }, content),
        )
      const { currency, totals, findings } = made.summary
      return {
        id: toTypeId('einv', made.id),
        number: made.number,
        counter: made.counter,
        currency,
        total: totals.taxInclusive,
        findings: findings.map((finding) => ({ ...finding })),
        xml: await write('xml', 'application/xml', Buffer.from(made.xml)),
        pdf: await write('pdf', 'application/pdf', pdf),
      }
    } catch (error) {
      throw isRefusal(error) ? invalid(error) : error
    }
  }

  const validate: Action<Einvoices> = async (service, { accountId }, args): Promise<Json> => {
    try {
      const findings = await service.validate(accountId, sourceIn(args))
      return { valid: true, errors: [], findings: findings.map((finding) => ({ ...finding })) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { valid: false, errors: errorsOf(error).map(({ pointer, detail }) => ({ pointer, detail })), findings: [] }
    }
  }

  return {
    name: 'einvoice',
    title: 'E-invoices of the platform',
    version: '1.0.0',
    functions: [
      {
        name: 'create',
        summary: 'Makes an e-invoice, as XML and PDF.',
        input: createInput,
        output: createOutput,
        perform: platformFunction(einvoices, create),
      },
      {
        name: 'validate',
        summary: 'Judges an e-invoice without making it.',
        input: validateInput,
        output: validateOutput,
        perform: platformFunction(einvoices, validate),
      },
    ],
  }
}

const writerOf = ({ executionId }: EffectCall) => `execution:${toTypeId('exec', executionId)}`

/** The arguments as the request of `einvoice.generate`, in which amounts are texts. Fault `request_invalid`. */
function sourceIn(args: JsonObject): Source {
  const { body } = operations.generate
  if (body === undefined) throw new Error('the operation takes no body')
  const parsed = body.safeParse(withTexts(args))
  if (parsed.success) return parsed.data
  throw new Fault('request_invalid', {
    errors: parsed.error.issues.map(({ path, message }) => ({ pointer: path.map((part) => `/${String(part)}`).join(''), detail: message })),
  })
}

/** No member of an e-invoice is a number: those of data are written as texts. */
function withTexts(value: Json): Json {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(withTexts)
  if (typeof value !== 'object' || value === null) return value
  // A member of data that is null is not given.
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, withTexts(member)]])))
}

function isRefusal(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'einvoice_invalid' || error.code === 'request_invalid')
}

const errorsOf = (fault: Fault) => fault.details.errors ?? [{ pointer: '', detail: fault.message }]

/** What is wrong with the arguments, which no repetition mends. */
function invalid(fault: Fault): WorkflowError {
  const details = errorsOf(fault).map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`))
  return new WorkflowError(standardError('validation', `The e-invoice is not valid. ${details.join(' ')}`).data, { cause: fault })
}
