import { livecapture } from '@millrace/contract'
import {
  captureHandlers,
  createAnalyzeVideo,
  createCaptures,
  deleteOldSessions,
  purgeCaptures,
  recorderLinks,
} from '#modules/livecapture/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'
import { servedRecorder } from './serve-recorder.ts'

export interface LiveCaptureParts extends Pick<FeatureParts, 'database' | 'system' | 'config' | 'models'> {
  readonly workflows: Workflows
}

const keptMs = 7 * 24 * 60 * 60 * 1000
const sessionsAtATime = 100

/** Capturing of what people do in browsers. */
export function composeLiveCapture({ database, config, models, workflows, system }: LiveCaptureParts): Feature {
  const { now, newId, randomBytes } = system
  const service = createCaptures({ database, workflows, now, newId, randomBytes })
  const linksOf = (token: string) => recorderLinks(originOf(config.http), token)
  return {
    groups: {
      livecapture: served(livecapture, captureHandlers({ service, linksOf, analyzeVideo: createAnalyzeVideo(models), now })),
      captureRecorder: servedRecorder({
        linksOf,
        async find(token) {
          const found = await service.bySecret(token)
          if (found === undefined) return undefined
          const { name, maskInputs } = await database.account(found.accountId, (tx) => service.get(tx, found.accountId, found.id))
          return { ...found, name, maskInputs }
        },
        add: ({ id, accountId }, events) =>
          database.account(accountId, (tx) =>
            service.add(tx, accountId, id, { events, recording: undefined, rrweb: undefined, firstSequence: 1 }),
          ),
      }),
    },
    maintenance: [
      {
        name: 'capture-sessions',
        run: () => inBatches((limit) => deleteOldSessions(database.system, new Date(now() - keptMs), limit), sessionsAtATime),
      },
    ],
    purge: purgeCaptures,
  }
}
