import { Fault, triggers } from '@millrace/contract'
import { createUseConnection } from '#modules/connections/index.ts'
import { createDataWork, serviceError } from '#modules/connectors/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Executions } from '#modules/executions/index.ts'
import { notify } from '#modules/notifications/index.ts'
import {
  createCollector,
  createDeliveries,
  createFire,
  createFiringLoop,
  createLook,
  createReceiver,
  createTriggers,
  createWatchLoop,
  deleteExcessDeliveries,
  deleteOldDeliveries,
  deleteOldSets,
  deleteOldSkips,
  purgeTriggers,
  type FiringLoopDeps,
  type Trigger,
  triggerContext,
  triggerHandlers,
  type StartTest,
} from '#modules/triggers/index.ts'
import type { WorkflowTests } from '#modules/workflow-tests/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import { served, servedRaw } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import type { Feature, FeatureParts } from './feature.ts'
import { originOf } from './origin.ts'

export interface TriggerParts extends FeatureParts {
  readonly workflows: Pick<Workflows, 'assertKnown'>
  readonly executions: Pick<Executions, 'start' | 'control' | 'startedBy' | 'assertFutureInput'>
  readonly accountFiles: AccountFiles
  readonly tests: Pick<WorkflowTests, 'run'>
}

/** A test of the draft as it is, with the outputs that its samples pin. */
const wholeDraft = { definition: undefined, task: undefined, taskInput: undefined, context: undefined, items: {}, pins: {}, samples: true }
const deliveryDays = 7
const setDays = 30
const skipDays = 90
const hookBytesMax = 1024 * 1024
/** No start takes so long: after it, a file of a form whose process died is known to have a start, or to have none. */
const startMsMax = 60 * 60 * 1000

/** Schedules, webhooks, event triggers and manual ones. */
export function composeTriggers(parts: TriggerParts): Feature {
  const { database, engine, processor, logger, system, executions, config, closing, policies, accountFiles } = parts
  const { now, newId, randomBytes } = system
  const box = createSecretBox(parts.secretKey, 'triggers', randomBytes)
  const { assertFutureInput: assertInput } = executions
  const service = createTriggers({ now, newId, randomBytes, box, assertWorkflow: parts.workflows.assertKnown, assertInput })
  const fire = createFire({ database, start: executions.start, processor, now })
  const startTest: StartTest = (tester, workflowId, input) => parts.tests.run(tester, workflowId, { ...wholeDraft, input }, undefined)
  const deliveries = createDeliveries({ database, fire, startTest })
  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message)
  const receiver = createReceiver({
    database,
    box,
    fire,
    startTest,
    admitInput: policies.admitInput,
    files: accountFiles,
    copyOfInput: async (accountId, workflowId, text) => policies.copyOf((await policies.policiesFor(accountId, workflowId)).input, text),
    engine,
    disclose: policies.disclose,
    onPaused: notifyPaused,
    now,
    newId,
    randomBytes,
    closing,
    onError: warn('webhook delivery not recorded'),
    onFileError: warn('file of a form neither kept nor deleted'),
  })
  const loop = createFiringLoop({
    database,
    now,
    newId,
    fire,
    collector: createCollector({ processor, now, newId }),
    snapshot: (accountId, id) => engine.outcome(accountId, id, 0),
    cancel: async (accountId, id) => {
      await executions.control.cancel(accountId, id).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error
      })
    },
    onFailing: notifyFailing,
    onPaused: notifyPaused,
    onOverQuota: (tx, accountId, reason) =>
      notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        kind: 'quota.near',
        title: 'Workflows do not start by themselves: the quota is used up',
        body: `${reason} Events, items of watches, and due times that a schedule makes up for start when the quota allows it. The page of each start shows what waits and what was skipped.`,
        link: '/triggers',
        groupKey: 'schedules.over-quota',
      }),
    onLoop: (tx, { id, accountId, name }, reason) =>
      notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        kind: 'trigger.paused',
        title: `The trigger "${name}" was stopped in a loop`,
        body: reason,
        link: `/triggers/${toTypeId('trg', id)}`,
        groupKey: `trigger.looped/${id}`,
      }),
    onOverrun: (tx, { id, accountId, name }, reason) =>
      notify(tx, {
        accountId,
        roles: ['owner', 'admin'],
        kind: 'trigger.paused',
        title: `The trigger "${name}" does not start for every end`,
        body: reason,
        link: `/triggers/${toTypeId('trg', id)}`,
        groupKey: `trigger.overrun/${id}`,
      }),
    runUrl: (id) => config.http.publicUrl && `${config.http.publicUrl}/runs/${toTypeId('exec', id)}`,
    onError: warn('trigger not fired'),
  })
  const watches = createWatchLoop({
    database,
    now,
    newId,
    look: watchingLook(parts),
    onFirings: () => loop.wake(),
    onPaused: notifyPaused,
    onError: warn('watch not looked at'),
  })
  const origin = originOf(config.http)
  const urlOf = ({ id, token }: Trigger) => {
    const plain = token === undefined ? undefined : box.open(token, triggerContext(id))
    return plain && `${origin}/hooks/${plain.toString('utf8')}`
  }
  return {
    groups: {
      triggers: served(triggers, triggerHandlers({ service, fire, deliveries, now, urlOf })),
      hooks: servedRaw({ url: '/hooks/:token', bodyLimit: hookBytesMax, admit: receiver.admit }),
      testHooks: servedRaw({ url: '/hooks/:token/test', bodyLimit: hookBytesMax, admit: receiver.admitTest }),
    },
    maintenance: [
      {
        name: 'webhook-deliveries',
        run: async () => {
          await inBatches((limit) => deleteOldDeliveries(database.system, new Date(now() - deliveryDays * 24 * 60 * 60 * 1000), limit))
          await deleteExcessDeliveries(database.system)
        },
      },
      {
        name: 'form-files',
        run: () =>
          accountFiles.settle(new Date(now() - startMsMax), 100, async ({ accountId, startKey, name }) => {
            const started = await executions.startedBy(accountId, startKey)
            // The start of the same form may have other files: it was sent twice.
            return started?.input.includes(JSON.stringify(name).slice(1, -1)) === true ? started.id : undefined
          }),
      },
      {
        name: 'skipped-times',
        run: () => deleteOldSkips(database.system, new Date(now() - skipDays * 24 * 60 * 60 * 1000), 1_000),
      },
      {
        name: 'event-sets',
        run: () => deleteOldSets(database.system, new Date(now() - setDays * 24 * 60 * 60 * 1000), 1_000),
      },
    ],
    loops: [
      { role: 'scheduler', start: () => loop.start(), stop: () => loop.stop() },
      { role: 'scheduler', start: () => watches.start(), stop: () => watches.stop() },
    ],
    purge: purgeTriggers,
  }
}

const notifyFailing: FiringLoopDeps['onFailing'] = (tx, { id, accountId, name, reason }) =>
  notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'trigger.paused',
    title: `The trigger "${name}" could not start its workflow`,
    body: `${reason} It is tried again as usual, and paused after ten failures in a row.`,
    link: `/triggers/${toTypeId('trg', id)}`,
    groupKey: `trigger.failing/${id}`,
  })

const notifyPaused: FiringLoopDeps['onPaused'] = (tx, { id, accountId, name, reason }) =>
  notify(tx, {
    accountId,
    roles: ['owner', 'admin'],
    kind: 'trigger.paused',
    title: `The trigger "${name}" was paused`,
    body: reason,
    link: `/triggers/${toTypeId('trg', id)}`,
    groupKey: `trigger.paused/${id}`,
  })

/** Looks at what triggers watch. A look reads and sends no data of an execution, so its requests are not departures. */
function watchingLook({ connections, http }: Pick<FeatureParts, 'connections' | 'http'>) {
  const work = createDataWork()
  return createLook({
    http,
    use: createUseConnection({ access: connections.access, httpOf: () => http }),
    address: connections.address,
    readFeed: (call, args) => work(call, 'rss.read', args),
    readMail: (call, args) => work(call, 'mail.read', args),
    serviceError,
  })
}
