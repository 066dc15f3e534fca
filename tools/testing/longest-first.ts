import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long, the longest first. Without results of an earlier run Vitest begins with the largest file, and some of these are short: begun last, they
 * would keep one worker busy while the others are done.
 */
export const longFiles: readonly string[] = [
  'packages/engine/test/crash/crash.test.ts',
  'packages/server/src/laws/hostile-input-laws.test.ts',
  'packages/server/src/laws/document-laws.test.ts',
  'packages/server/src/compose/outage.test.ts',
  'packages/cli/src/verify/verify.test.ts',
  'packages/server/src/modules/billing/sequences.test.ts',
  'packages/server/src/modules/einvoice/rules/oracle.test.ts',
  'packages/server/src/laws/operation-laws.test.ts',
  'packages/cli/src/backup/backup.test.ts',
  'packages/server/src/modules/agents/agent-crash.test.ts',
  'packages/server/src/modules/git/git.test.ts',
  'packages/cli/src/migrate/migrate-database.test.ts',
  'packages/server/src/platform/db/embedded/start-embedded.test.ts',
  'packages/engine/test/crash/ledger-run.test.ts',
  'packages/server/src/modules/executions/streams/stream-recovery.test.ts',
  'packages/cli/src/retention/retention.test.ts',
  'packages/cli/src/start/start.test.ts',
  'packages/server/src/modules/speech/recognition.test.ts',
  'packages/cli/src/demo.test.ts',
  'packages/engine/src/effects/script/exhaustion.test.ts',
  'packages/cli/src/remote/remote.test.ts',
  'packages/cli/src/examples.test.ts',
  'packages/cli/src/doctor/doctor.test.ts',
  'packages/server/src/modules/events/lifecycle-recovery.test.ts',
  'packages/engine/test/crash/slow-calls.test.ts',
  'packages/server/src/modules/identity/sign-in-time.test.ts',
  'packages/engine/test/crash/lifecycle.test.ts',
  'packages/web/e2e/journey.test.ts',
  'packages/web/e2e/trust.test.ts',
  'packages/web/e2e/building.test.ts',
  'packages/web/e2e/editor.test.ts',
  'packages/web/e2e/draft-chaos.test.ts',
]

/** The order of Vitest, with the long files of each project first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- It is a method of Vitest.
    const sorted = await super.sort(files)
    return sorted.toSorted(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder ||
        a.project.name.localeCompare(b.project.name) ||
        placeOf(a) - placeOf(b),
    )
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longFiles.findIndex((file) => moduleId.endsWith(`/${file}`))
  return place === -1 ? longFiles.length : place
}
