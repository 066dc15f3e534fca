import type { Json, JsonObject } from '@millrace/engine/definition'
import { type LocalRun, type LocalRunDeps, runLocally } from '@millrace/engine/local'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface StartDeps extends Required<Pick<LocalRunDeps, 'functions' | 'observer' | 'journal' | 'onPublished' | 'version'>> {
  readonly secrets: JsonObject
  readonly warn: (message: string, cause: unknown) => void
}

/** Starts the root of a bundle in this process. */
export function startRun(bundle: WorkflowBundle, input: Json, { now, newId }: Pick<Terminal, 'now' | 'newId'>, deps: StartDeps): LocalRun {
  const { warn, ...others } = deps
  return runLocally(bundle.root.workflow, input, {
    ...others,
    definitions: {
      async resolve(_accountId, reference) {
        const found = bundle.find(reference)
        return found === undefined ? undefined : { workflowId: found.id, versionId: found.id }
      },
      async load(_accountId, versionId) {
        const found = bundle.members.find(({ id }) => id === versionId)
        if (found === undefined) throw new Error(`the workflow ${versionId} was resolved but is not loaded`)
        return found.workflow
      },
    },
    reporter: { warn: (message, { error }) => warn(message, error) },
    now,
    newId,
  })
}
