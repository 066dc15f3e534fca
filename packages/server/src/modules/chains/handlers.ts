import { type chains, Fault, type Received } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { Executions } from '#modules/executions/index.ts'
import { asJson } from '#platform/as-json.ts'
import { etag, type HandlersFor, respond, userKeyOf, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Chains } from './chain-service.ts'
import type { Chain, ChainMember, ChainStep } from './model.ts'
import { chainView, runView } from './views.ts'

export interface ChainHandlersDeps {
  readonly service: Chains
  readonly executions: Pick<Executions, 'list'>
}

const runsMax = 10

/** What the audit log commits to. */
function stateOf(chain: Chain) {
  const { name, description, members } = chainView(chain)
  return { name, description, members: asJson(members) }
}

/** Handlers of the group `chains`. */
export function chainHandlers({ service, executions }: ChainHandlersDeps): HandlersFor<typeof chains> {
  const found = (chain: Chain) => respond(chainView(chain), { headers: { etag: etag(chain.revision) } })
  return {
    async list(ctx, { query: { limit, cursor } }) {
      const rows = await service.list(ctx.tx, ctx.accountId, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(rows, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(chainView), nextCursor }
    },

    create: withPreparation(
      (ctx, { body: { name, description, members } }) =>
        service.prepareCreate(ctx.accountId, { name, description: description ?? undefined, members: membersOf(members) }),
      async (ctx, _input, compiled) => {
        const chain = await service.create(ctx.tx, ctx.accountId, compiled, actorOf(ctx.principal))
        const id = toTypeId('chn', chain.id)
        ctx.audit({ target: id, details: { members: chain.members.length } })
        return respond(chainView(chain), { headers: { etag: etag(chain.revision), location: `/api/v1/chains/${id}` } })
      },
    ),

    async get(ctx, { params }) {
      const chain = await service.get(ctx.tx, ctx.accountId, idOf('chn', params.id))
      const filter = { state: undefined, trigger: undefined, from: undefined, to: undefined, cursor: undefined, limit: runsMax }
      const { data } = await executions.list(ctx.tx, ctx.accountId, chain.workflowId, filter)
      return respond(
        { ...chainView(chain), runs: data.map(({ execution }) => runView(execution)) },
        { headers: { etag: etag(chain.revision) } },
      )
    },

    update: withPreparation(
      (ctx, { params, body: { name, description, members } }) =>
        service.prepareUpdate(ctx.accountId, idOf('chn', params.id), {
          name,
          description,
          members: members === undefined ? undefined : membersOf(members),
        }),
      async (ctx, { params }, compiled) => {
        const { before, after } = await service.update(ctx.tx, ctx.accountId, compiled, actorOf(ctx.principal), ctx.ifMatch)
        const change = { before: stateOf(before), after: stateOf(after) }
        ctx.audit({ target: params.id, details: { revision: after.revision }, change })
        return found(after)
      },
    ),

    async delete(ctx, { params }) {
      const name = await service.remove(ctx.tx, ctx.accountId, idOf('chn', params.id), actorOf(ctx.principal), ctx.ifMatch)
      ctx.audit({ target: params.id, details: { name } })
      return { id: params.id, deleted: true as const }
    },

    async run(ctx, { params, body }) {
      const given = { input: body.input, actor: actorOf(ctx.principal), key: userKeyOf(ctx) }
      const { id } = await service.run(ctx.accountId, idOf('chn', params.id), given)
      const executionId = toTypeId('exec', id)
      ctx.audit({ target: params.id, details: { executionId } })
      return { chainId: params.id, executionId }
    },
  }
}

type GivenMember = Received<typeof chains.create>['body']['members'][number]

/** Members as they are stored. Fault `chain_invalid` for a member that is neither a step nor a group, and for a name that occurs twice. */
function membersOf(given: readonly GivenMember[]): readonly ChainMember[] {
  const names = new Set<string>()
  const unique = (name: string, pointer: string) => {
    if (names.has(name)) throw invalid(`${pointer}/name`, `Another member has the name "${name}".`)
    names.add(name)
  }
  return given.map((member, index): ChainMember => {
    const pointer = `/members/${index}`
    const { name, workflowId, parallel, mapping, condition, onFault } = member
    unique(name, pointer)
    if (parallel === undefined) {
      if (workflowId === undefined) throw invalid(`${pointer}/workflowId`, `The member "${name}" needs workflowId or parallel.`)
      return stepOf({ name, workflowId, mapping, condition, onFault })
    }
    if (workflowId !== undefined || mapping !== undefined)
      throw invalid(`${pointer}/${workflowId === undefined ? 'mapping' : 'workflowId'}`, `The group "${name}" has it in its members.`)
    for (const [branch, step] of parallel.entries()) unique(step.name, `${pointer}/parallel/${branch}`)
    return { name, parallel: parallel.map(stepOf), condition, onFault }
  })
}

type GivenStep = Pick<GivenMember, 'name' | 'mapping' | 'condition' | 'onFault'> & { readonly workflowId: string }

function stepOf({ name, workflowId, mapping, condition, onFault }: GivenStep): ChainStep {
  return { name, workflowId: idOf('wf', workflowId), mapping, condition, onFault }
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('chain_invalid', { errors: [{ pointer, detail }] })
}
