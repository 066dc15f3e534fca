import type { PersonalDataKind, privacy as privacyOperations } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import { etag, type HandlersFor, type RequestContext, respond, type Tx } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { type ComplianceFacts, complianceReport } from './compliance.ts'
import type { DetectOptions } from './detect/detector.ts'
import type { Privacy } from './privacy-service.ts'
import { decisionView, policyView, spanView, statsView } from './views.ts'

/** Decides whether personal data may leave the installation. */
export interface EgressPort {
  decide(
    tx: Tx,
    accountId: string,
    request: {
      readonly destination: {
        readonly kind: 'model' | 'connector' | 'webhook' | 'mail'
        readonly host: string
        readonly region: string | undefined
      }
      readonly categories: readonly PersonalDataKind[]
      readonly actor: string
    },
  ): Promise<{ readonly action: 'allow' | 'redact' | 'refuse'; readonly reason: string }>
}

export interface PrivacyHandlerDeps {
  readonly privacy: Privacy
  /** Forgets what it knows of policies, after the commit of a changed one. */
  readonly forgetPolicies: () => void
  readonly egress: EgressPort
  readonly facts: (tx: Tx, accountId: string) => Promise<ComplianceFacts>
  readonly now: () => number
}

interface ExaminedBody {
  readonly text: string
  readonly kinds?: readonly PersonalDataKind[] | undefined
  readonly minScore: number
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
  readonly rules?: DetectOptions['rules'] | undefined
  readonly purpose?: string | undefined
}

/** Handlers of the group `privacy`. */
export function privacyHandlers({
  privacy,
  forgetPolicies,
  egress,
  facts,
  now,
}: PrivacyHandlerDeps): HandlersFor<typeof privacyOperations> {
  return {
    async check(ctx, { body }) {
      const { findings, counts, decisionId } = await privacy.check(ctx.tx, ctx.accountId, examinationOf(ctx, body))
      const decision = toTypeId('prd', decisionId)
      return { hasPersonalData: findings.length > 0, spans: findings.map(spanView), counts: { ...counts }, decisionId: decision }
    },
    async redact(ctx, { body }) {
      const { operator, operators = {}, replacement, keepLast, key } = body
      const operatorOf = (kind: PersonalDataKind) => operators[kind] ?? operator
      const redaction = { operatorOf, replacement, keepLast }
      const done = await privacy.redact(ctx.tx, ctx.accountId, examinationOf(ctx, body), redaction, key)
      return {
        text: done.text,
        spans: done.findings.map((finding) => ({ ...spanView(finding), operator: operatorOf(finding.kind) })),
        counts: { ...done.counts },
        decisionId: toTypeId('prd', done.decisionId),
      }
    },
    async restore(ctx, { body }) {
      const restored = privacy.restore(ctx.accountId, body.text, body.key)
      ctx.audit({ details: { restored: restored.restored } })
      return restored
    },
    async logs(ctx, { query: { limit, cursor, source, action, workflowId } }) {
      const workflow = workflowId === undefined ? undefined : idOf('wf', workflowId)
      const filter = { limit: limit + 1, before: decodeId(cursor), source, action, workflowId: workflow }
      const { data, nextCursor } = pageOf(await privacy.logs(ctx.tx, ctx.accountId, filter), limit, (last) => encodeCursor([last.id]))
      return { data: data.map(decisionView), nextCursor }
    },
    async stats(ctx, { query }) {
      return statsView(await privacy.stats(ctx.tx, ctx.accountId, { from: query.from, to: query.to }))
    },
    async compliance(ctx, { query }) {
      return complianceReport(await facts(ctx.tx, ctx.accountId), query.regulation, new Date(now()))
    },
    async egress(ctx, { body: { destination, categories } }) {
      const { kind, host, region } = destination
      return egress.decide(ctx.tx, ctx.accountId, { destination: { kind, host, region }, categories, actor: actorOf(ctx.principal) })
    },
    async policies(ctx, { query: { limit, cursor } }) {
      const found = await privacy.policies(ctx.tx, ctx.accountId, limit + 1, decodeId(cursor))
      const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(policyView), nextCursor }
    },
    async putPolicy(ctx, { body }) {
      const { workflowId, retention, ...rest } = body
      const wanted = { ...rest, retention, workflowId: workflowId === undefined ? undefined : idOf('wf', workflowId) }
      const { policy, before } = await privacy.putPolicy(ctx.tx, ctx.accountId, wanted, {
        actor: actorOf(ctx.principal),
        ifMatch: ctx.ifMatch,
      })
      ctx.afterCommit(forgetPolicies)
      const { point, action, purpose, enabled, revision } = policy
      ctx.audit({
        target: toTypeId('prp', policy.id),
        details: { point, action, purpose, enabled, revision, workflowId: workflowId ?? null },
        change: { before: before === undefined ? {} : stateOf(before), after: stateOf(policy) },
      })
      return respond(policyView(policy), { headers: { etag: etag(revision) } })
    },
  }
}

/** What the audit log commits to. */
function stateOf(policy: Parameters<typeof policyView>[0]) {
  const { id: _id, revision: _revision, updatedAt: _at, ...state } = policyView(policy)
  return state
}

function examinationOf(ctx: RequestContext, { text, kinds, minScore, allow, deny, rules, purpose }: ExaminedBody) {
  const options: DetectOptions = {
    minScore,
    ...(kinds === undefined ? {} : { kinds: new Set(kinds) }),
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
    ...(rules === undefined ? {} : { rules }),
  }
  return { text, options, purpose, actor: actorOf(ctx.principal) }
}
