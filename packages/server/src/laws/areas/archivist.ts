import { archivist, executions, workflows } from '@millrace/contract'
import { vi } from 'vitest'
import { call, textAt } from '#laws/calls.ts'
import type { AreaFixture } from './area.ts'

const greeting = `document: { dsl: '1.0.3', namespace: laws, name: evidence, version: 1.0.0 }
do:
  - greet: { set: { greeting: Hello } }
`

const waiting = { timeout: 60_000, interval: 200 }

/** The operations of evidence, for the area of the audit log. */
export async function exerciseArchivist({ url, perform, token }: Pick<AreaFixture, 'url' | 'perform' | 'token'>): Promise<void> {
  const workflow = await call(url, workflows.create, { token, body: { definition: greeting } })
  const params = { id: textAt(workflow.body, 'id') }
  const started = await call(url, executions.start, { token, params, body: { input: { name: 'Ada' } }, headers: { prefer: 'wait=10' } })
  const id = textAt(started.body, 'id')
  await perform(archivist.packSelection, { token, query: { executions: id } })
  await perform(archivist.replay, { token, params: { id } })
  await perform(archivist.receipt, { token, params: { id } })
  await perform(archivist.analytics, { token })
  await perform(archivist.piiSummary, { token, query: { days: '7' } })
  const link = await vi.waitFor(async () => {
    const { body } = await call(url, archivist.pack, { token, query: { executions: id } })
    return textAt(body, 'download', 'url')
  }, waiting)
  await perform(archivist.pack, { token, query: { executions: id } })
  await perform(archivist.packs, { token })
  await perform(archivist.packContent, { params: { token: link.split('/').at(-2) ?? '' } })
}
