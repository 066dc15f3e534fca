import { type assistant, Fault } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import {
  eventStreamHeaders,
  type EventStreams,
  type HandlersFor,
  type RequestContext,
  respondStream,
  withPreparation,
} from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { Answered, ChatEvent, Chats } from './chat-service.ts'
import { chatStream } from './chat-stream.ts'
import type { Prepared } from './model.ts'
import type { Decider, Proposals } from './proposal-service.ts'
import { conversationView, draftView, messageView, proposalView } from './views.ts'

export interface AssistantHandlersDeps {
  readonly chats: Chats
  readonly proposals: Proposals
  readonly mail: Pick<Mail, 'prepare'>
  readonly now: () => number
  readonly eventStreams: EventStreams
}

/** Handlers of the group `assistant`. */
export function assistantHandlers({ chats, proposals, mail, now, eventStreams }: AssistantHandlersDeps): HandlersFor<typeof assistant> {
  const at = () => new Date(now())
  const found = (prepared: Prepared) => ({
    proposals: prepared.proposals.map((proposal) => proposalView(proposal, at())),
    drafts: prepared.drafts.map(draftView),
  })
  const answer = ({ conversationId, message, ...prepared }: Answered) => ({
    conversationId: toTypeId('conv', conversationId),
    message: messageView(message),
    ...found(prepared),
  })

  return {
    async chat(ctx, { body: { message, conversationId } }) {
      const asked = { text: message, conversationId: conversationId === undefined ? undefined : idOf('conv', conversationId) }
      const decider = deciderOf(ctx)
      // A stored response is JSON, so a request that may be repeated gets JSON.
      if (ctx.acceptsEventStream && ctx.idempotencyKey === undefined) {
        const ask = async (signal: AbortSignal, onEvent: (event: ChatEvent) => void) =>
          answer(await chats.ask(decider, asked, signal, onEvent))
        const source = chatStream(ask, eventStreams.problemOf)
        return respondStream(await eventStreams.open(ctx, () => source), { headers: eventStreamHeaders })
      }
      const answered = await ctx.whileConnected((signal) => chats.ask(decider, asked, signal))
      ctx.audit({ target: toTypeId('conv', answered.conversationId), details: { proposals: answered.proposals.length } })
      return answer(answered)
    },

    async messages(ctx, { body: { message, conversationId } }) {
      const asked = { text: message, conversationId: conversationId === undefined ? undefined : idOf('conv', conversationId) }
      const added = await chats.add(ctx.tx, ctx, asked)
      ctx.audit({ target: toTypeId('conv', added.conversationId) })
      return { conversationId: toTypeId('conv', added.conversationId), message: messageView(added) }
    },
    async conversations(ctx, { query: { limit, cursor } }) {
      const rows = await chats.list(ctx.tx, ctx, { before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(rows, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(conversationView), nextCursor }
    },
    async conversation(ctx, { params }) {
      const { conversation, messages } = await chats.read(ctx.tx, ctx, idOf('conv', params.id))
      return { ...conversationView(conversation), messages: messages.map(messageView) }
    },
    async deleteConversation(ctx, { params }) {
      await chats.remove(ctx.tx, ctx, idOf('conv', params.id))
      ctx.audit({ target: params.id })
      return { id: params.id, deleted: true as const }
    },

    async run(ctx, { body: { goal, action } }) {
      if ((goal === undefined) === (action === undefined))
        throw new Fault('request_invalid', { errors: [{ pointer: '', detail: 'Needs either goal or action.' }] })
      const decider = deciderOf(ctx)
      if (action !== undefined) {
        const prepared = await proposals.prepare(decider, action, undefined)
        ctx.audit({ details: { kind: action.kind } })
        return { text: null, ...found(prepared) }
      }
      const { text, ...prepared } = await ctx.whileConnected((signal) => chats.pursue(decider, goal ?? '', signal))
      ctx.audit({ details: { proposals: prepared.proposals.length, drafts: prepared.drafts.length } })
      return { text, ...found(prepared) }
    },

    async confirm(ctx, { body: { proposalId, digest } }) {
      const proposal = await proposals.confirm(deciderOf(ctx), { id: idOf('prop', proposalId), digest })
      ctx.audit({ target: proposalId, details: { kind: proposal.kind, digest, ...proposal.result } })
      return proposalView(proposal, at())
    },
    async reject(ctx, { body: { proposalId, reason } }) {
      const proposal = await proposals.reject(ctx.tx, ctx, idOf('prop', proposalId), reason)
      ctx.audit({ target: proposalId, details: { kind: proposal.kind } })
      return proposalView(proposal, at())
    },
    async confirmSchedule(ctx, { body: { proposalId, digest } }) {
      const { proposal, triggerId } = await proposals.confirmSchedule(ctx.tx, deciderOf(ctx), { id: idOf('prop', proposalId), digest })
      ctx.audit({ target: proposalId, details: { digest, triggerId } })
      return { proposal: proposalView(proposal, at()), triggerId }
    },

    async proposals(ctx, { query: { limit, cursor, conversationId } }) {
      const within = conversationId === undefined ? undefined : idOf('conv', conversationId)
      const rows = await proposals.list(ctx.tx, ctx, { conversationId: within, before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(rows, limit, (last) => encodeCursor([last.id]))
      return { data: data.map((proposal) => proposalView(proposal, at())), nextCursor }
    },
    async drafts(ctx, { query: { limit, cursor, state } }) {
      const rows = await proposals.drafts(ctx.tx, ctx, { state, before: decodeId(cursor), limit: limit + 1 })
      const { data, nextCursor } = pageOf(rows, limit, (last) => encodeCursor([last.id]))
      return { data: data.map(draftView), nextCursor }
    },
    approveDraft: withPreparation(
      () => mail.prepare(),
      async (ctx, { params, body }) => {
        const draft = await proposals.approveDraft(ctx.tx, ctx, idOf('draft', params.id), body.digest)
        ctx.audit({ target: params.id, details: { digest: draft.digest, recipients: draft.to.length } })
        return draftView(draft)
      },
    ),
    async rejectDraft(ctx, { params, body }) {
      const draft = await proposals.rejectDraft(ctx.tx, ctx, idOf('draft', params.id), body.reason)
      ctx.audit({ target: params.id })
      return draftView(draft)
    },
  }
}

function deciderOf(ctx: RequestContext): Decider {
  const { accountId, userId, scopes } = ctx
  return { accountId, userId, scopes, actor: actorOf(ctx.principal) }
}
