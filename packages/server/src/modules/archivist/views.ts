import type { Difference } from '@millrace/engine'
import { toTypeId } from '#platform/ids.ts'
import { type CountedSelection, packLifeMs, type RequestedPack } from './pack/pack-model.ts'
import type { ReplayReport } from './replay-report.ts'

export function replayView({ execution, verdict, erased, tasks, truncated }: ReplayReport) {
  return {
    executionId: toTypeId('exec', execution.id),
    state: execution.state,
    verified: verdict.difference === undefined,
    entries: verdict.entries,
    difference: differenceView(verdict.difference),
    tasks: tasks.map(({ difference, ...task }) => ({ ...task, difference: differenceView(difference) })),
    truncated,
    ...(erased === undefined
      ? {}
      : {
          erased: {
            erasureId: toTypeId('era', erased.erasureId),
            at: erased.at.toISOString(),
            remains: erased.remains,
            differences: [...erased.differences],
          },
        }),
  }
}

function differenceView(difference: Difference | undefined) {
  if (difference === undefined) return null
  const { part, detail, recorded, walked } = difference
  return { part, detail, ...(recorded === undefined ? {} : { recorded }), ...(walked === undefined ? {} : { walked }) }
}

export function selectionView({ period, executions, isTooLarge, missing }: CountedSelection) {
  return { from: period?.from ?? null, to: period?.to ?? null, executions, isTooLarge, missing: missing.map((id) => toTypeId('exec', id)) }
}

/** A selection in the details of the audit log. */
export function selectedOf({ selection }: RequestedPack['pack']) {
  return 'executions' in selection ? { executions: selection.executions.length } : { from: selection.from, to: selection.to }
}

export function packView({ pack, file, link }: RequestedPack) {
  const download =
    link === undefined ? null : { url: `/api/v1/archivist/evidence-pack/${link.token}/content`, expiresAt: link.expiresAt.toISOString() }
  return { ...packFileView({ pack, file }), download }
}

export function listedPackView({ pack, file }: Pick<RequestedPack, 'pack' | 'file'>) {
  const { selection } = pack
  const selected =
    'executions' in selection
      ? { from: null, to: null, executions: selection.executions.map((id) => toTypeId('exec', id)) }
      : { ...selection, executions: null }
  return { ...packFileView({ pack, file }), selection: selected }
}

function packFileView({ pack, file }: Pick<RequestedPack, 'pack' | 'file'>) {
  const { id, state, failure, done, total, createdAt } = pack
  return {
    id: toTypeId('pack', id),
    state,
    failure: failure ?? null,
    progress: { done, total: total ?? null },
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: new Date(createdAt.getTime() + packLifeMs).toISOString(),
  }
}
