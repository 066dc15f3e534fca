import type { livecapture } from '@millrace/contract'
import { actorOf } from '#platform/auth/principal.ts'
import type { HandlersFor } from '#platform/http/index.ts'
import { fromTypeId, idOf, toTypeId } from '#platform/ids.ts'
import type { Captures, StoppedSession } from './capture-service.ts'
import type { RecorderLinks } from './recorder-links.ts'
import { eventViews, sessionView } from './views.ts'
import type { AnalyzeVideo } from './video/analyze-video.ts'

export interface CaptureHandlersDeps {
  readonly service: Captures
  readonly linksOf: (token: string) => RecorderLinks
  readonly analyzeVideo: AnalyzeVideo
  readonly now: () => number
}

/** Handlers of the group `livecapture`. */
export function captureHandlers({ service, linksOf, analyzeVideo, now }: CaptureHandlersDeps): HandlersFor<typeof livecapture> {
  const at = () => new Date(now())
  const stopped = ({ session, workflowId, draft }: StoppedSession) => ({
    session: sessionView(session, at()),
    draft: { workflowId: toTypeId('wf', workflowId), ...draft },
  })
  return {
    async start(ctx, { body }) {
      const { session, token } = await service.start(ctx.tx, ctx.accountId, body, actorOf(ctx.principal))
      ctx.audit({ target: toTypeId('cap', session.id), details: { maskInputs: body.maskInputs } })
      return { ...sessionView(session, at()), recorder: linksOf(token) }
    },
    async events(ctx, { body: { sessionId, events, recording, rrweb, firstSequence } }) {
      const given = { events, recording, rrweb, firstSequence }
      const added = await service.add(ctx.tx, ctx.accountId, idOf('cap', sessionId), given)
      return { sessionId, ...added, lastSequence: added.lastSequence ?? null }
    },
    async get(ctx, { params, query: { after, limit } }) {
      const { session, events } = await service.read(ctx.tx, ctx.accountId, idOf('cap', params.id), { after, limit })
      const nextAfter = events.length === limit ? (events.at(-1)?.sequence ?? null) : null
      return { ...sessionView(session, at()), data: eventViews(events), nextAfter }
    },
    async stop(ctx, { body }) {
      const result = await service.stop(ctx.accountId, fromTypeId('cap', body.sessionId) ?? '', actorOf(ctx.principal))
      ctx.audit({ target: body.sessionId, details: { workflowId: toTypeId('wf', result.workflowId) } })
      return stopped(result)
    },
    async analyzeVideo(ctx, { body: { name, maskInputs, video, frames } }) {
      const source = { accountId: ctx.accountId, video, frames }
      const { events, frames: read, vision } = await ctx.whileConnected((signal) => analyzeVideo(source, at().toISOString(), signal))
      const result = await service.ofEvents(ctx.accountId, { name, maskInputs }, events, actorOf(ctx.principal))
      const target = toTypeId('cap', result.session.id)
      ctx.audit({ target, details: { workflowId: toTypeId('wf', result.workflowId), frames: read.length } })
      return {
        ...stopped(result),
        frames: read.map(({ atMs, confidence, lines }) => ({ atMs, confidence, lines: lines.length })),
        vision: vision === undefined ? null : { model: vision.model ?? null, pictures: vision.pictures, problem: vision.problem ?? null },
      }
    },
  }
}
