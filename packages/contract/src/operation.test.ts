import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { pathParameters } from './derived.ts'
import { errorCatalogue, errorCodes } from './errors.ts'
import { groups } from './groups/index.ts'
import { type AnyOperation, isAlias } from './operation.ts'
import published from './testing/operations.json' with { type: 'json' }
import { grantableScopes, scopes, workflowKeyScopes } from './scopes.ts'

const operations: readonly AnyOperation[] = Object.values(groups).flatMap((group) => Object.values(group))

/** Groups and operations beyond the published interface. */
const ours =
  /^(?:workflowDrafts\.|workflows\.(?:using|tags|duplicate)$|mcp\.(?:tools|offerTool|withdrawTool)$|auth\.(?:mfaPolicy|stepUp|restoreMe)$|approvals\.|executions\.|events\.|triggers\.(?:get|update|deliveries|delivery|replayDelivery|skipped|test|stopTest)$|eventSubscriptions\.|queue\.(?:deadLetter|replayAll)$|notifications\.(?:preferences|updatePreferences|testWebhook)$|health\.(?:ready|testMail)$|archivist\.pack(?:s|Content|Selection)$|leads\.(?:challenge|list|export)$|audit\.(?:export(?:Events)?|keys|\w*[dD]estinations?)$|auth\.(?:samlMetadata|linkIdentity)$|auth\.(?:phoneDelete|updateMe|passwordChange)$|accountUsers\.|invitations\.|signInProviders\.|accountDomains\.|scim\.|marketplace\.(?:report|reports|moderate|imports)$|connectors\.|oauth\.|connections\.|functions\.|files\.|tables\.|git\.|workflowTests\.|changes\.stream$|models\.|modelCalls\.|modelLimits\.|assistant\.proposals$|auth\.passkey)/

/** Operations that only read, and leave an audit row because of what they read. */
const revealing: ReadonlySet<string> = new Set([
  'variables.reveal',
  'audit.export',
  'audit.exportEvents',
  'archivist.packContent',
  'account.exportContent',
  'persons.reportContent',
  'files.content',
  'files.linkContent',
  'approvals.file',
  'approvals.linkedFile',
  'modelCalls.get',
])

const oursOfPrivacy = /^(?:privacy\.(?:restore|policies|putPolicy|egress)|account\.(?:settings|exportContent)|(?:erasures|persons)\.\w+)$/

const oursOfCommerce =
  /^(?:billing\.(?:plans|updatePlan|creditNote|invoicePdf)|einvoice\.(?:list|get|pdf|generateFromInvoice)$|referrals\.claim)$/

describe('every declared operation', () => {
  test('is one of the 195 of the published interface, or an addition', () => {
    expect(published).toHaveLength(195)
    expect(published.filter(({ prefixed, path }) => prefixed !== path.startsWith('/api/v1/'))).toEqual([])
  })

  test('is in the published interface, unless it is an addition, with its method, path, parameters and flag', () => {
    const known = new Set(published.map((op) => `${op.method} ${op.path} ${op.flag ?? ''}`))
    const contracted = operations.filter((op) => !ours.test(op.id) && !oursOfCommerce.test(op.id) && !oursOfPrivacy.test(op.id))
    expect(contracted.map((op) => `${op.method} ${op.path} ${op.flag ?? ''}`).filter((line) => !known.has(line))).toEqual([])
  })

  test('is declared once, under one id, at one method and path', () => {
    expect(new Set(operations.map((op) => op.id)).size).toBe(operations.length)
    expect(new Set(operations.map((op) => `${op.method} ${op.path}`)).size).toBe(operations.length)
  })

  test('has the two names of its id in the client, but for the health of the system', () => {
    const other = Object.entries(groups).flatMap(([group, members]) =>
      Object.entries(members)
        .filter(([name, op]) => op.id !== `${group}.${name}`)
        .map(([name]) => `${group}.${name}`),
    )
    expect(other).toEqual(['health.system'])
  })

  test.each(operations.map((op) => [op.id, op] as const))('%s declares exactly the parameters in its path', (_, op) => {
    const declared = op.params instanceof z.ZodObject ? Object.keys(op.params.shape) : []
    expect(declared.toSorted()).toEqual([...pathParameters(op)].toSorted())
  })

  const strict = operations.filter((op) => op.unknownInput === undefined)
  test.each(strict.map((op) => [op.id, op] as const))('%s refuses members that it does not know', (_, op) => {
    for (const schema of [op.query, op.body]) {
      if (schema === undefined) continue
      const issues: readonly { readonly code: string }[] = schema.safeParse({ unknownMember: 1 }).error?.issues ?? []
      expect(issues.map((issue) => issue.code)).toContain('unrecognized_keys')
    }
  })

  test.each(operations.map((op) => [op.id, op] as const))(
    '%s keeps responses by idempotency key if it is a POST, and is repeatable otherwise',
    (_, op) => {
      expect(op.idempotency !== 'natural').toBe(op.method === 'POST')
    },
  )

  test('audits by a proper name what changes something or reveals a secret, and nothing that only reads', () => {
    const wrong = operations.filter(
      (op) => op.audit !== 'none' && ((op.method === 'GET' && !revealing.has(op.id)) || !/^[a-z_]+\.[a-z_]+$/.test(op.audit)),
    )
    expect(wrong.map((op) => op.id)).toEqual([])
  })

  test('is served under its unprefixed alias with all else alike', () => {
    const aliases = operations.filter(isAlias)
    expect(aliases.length).toBeGreaterThan(0)
    for (const op of aliases) {
      const target = operations.find((candidate) => candidate.id === op.aliasOf)
      expect(target?.path).toBe(`/api/v1${op.path}`)
      expect({ ...op, id: '', path: '', aliasOf: undefined, gate: undefined }).toEqual({ ...target, id: '', path: '', aliasOf: undefined })
    }
  })
})

describe('the catalogues', () => {
  test('name errors in snake_case and give each a status, a title and a sentence', () => {
    for (const code of errorCodes) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(errorCatalogue[code].status).toBeGreaterThanOrEqual(400)
      expect(errorCatalogue[code].detail).toMatch(/\.$|`\.$/)
    }
  })

  test('keep scopes that require a signed-in person from API keys', () => {
    expect(grantableScopes).not.toContain('api-keys:manage')
    expect(grantableScopes).not.toContain('account:security')
    expect(scopes).toEqual(expect.arrayContaining([...grantableScopes]))
  })

  test('give keys that are limited to workflows the scopes of the operations that such keys may call, and no others', () => {
    const open = operations.filter(({ workflowKeys }) => workflowKeys !== undefined)
    const used = new Set(open.map(({ auth }) => (auth === 'public' ? 'public' : auth.scope)))
    expect(used).toEqual(new Set<string>(workflowKeyScopes))
    for (const op of open) {
      const { workflowKeys } = op
      if (typeof workflowKeys !== 'object') continue
      expect(pathParameters(op), op.id).toContain('workflow' in workflowKeys ? workflowKeys.workflow : workflowKeys.execution)
    }
  })

  test('every scope is used by an operation', () => {
    const used = new Set(operations.map((op) => (op.auth === 'public' ? undefined : op.auth.scope)))
    expect(scopes.filter((scope) => !used.has(scope))).toEqual([])
  })
})
