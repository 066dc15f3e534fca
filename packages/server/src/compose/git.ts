import { git } from '@millrace/contract'
import { createLoop } from '@millrace/engine'
import { createGit, deleteRepositoriesOf, gitHandlers, gitHeaders } from '#modules/git/index.ts'
import { findPeople } from '#modules/identity/index.ts'
import { findChangers, type Workflows } from '#modules/workflows/index.ts'
import { openCheckout } from '#platform/git/git-checkout.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

const idleMs = 15_000
/** Repositories that one process pulls and pushes at the same time. */
const lanes = 5

/** Definitions in repositories of Git. */
export function composeGit(parts: FeatureParts & { readonly workflows: Workflows }): Feature {
  const { database, workflows, connections, system, closing, logger } = parts
  const service = createGit({
    database,
    workflows,
    now: system.now,
    newId: system.newId,
    open: (remote, signal) => openCheckout(remote, connections.address, signal),
    changersOf: findChangers,
    peopleOf: findPeople,
    headers: (accountId, repository) => gitHeaders(connections.access, accountId, repository),
    closing,
  })
  const synchronise = async () => {
    try {
      return await service.synchroniseDue()
    } catch (error) {
      logger.warn({ err: error }, 'repository not synchronised')
      return false
    }
  }
  // A slow repository occupies one of them.
  const loops = Array.from({ length: lanes }, () => createLoop(idleMs, synchronise))
  return {
    groups: { git: served(git, gitHandlers(service)) },
    loops: loops.map((loop) => ({ role: 'scheduler', start: () => loop.start(), stop: () => loop.stop() })),
    purge: deleteRepositoriesOf,
  }
}
