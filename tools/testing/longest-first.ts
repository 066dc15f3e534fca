import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long, the longest first. Without results of an earlier run Vitest begins with the largest file, and some of these are short: begun last, they
 * would keep one worker busy while the others are done.
 */
export const longFiles: readonly string[] = [
  'packages/server/src/laws/fuzz/fuzz.test.ts',
  'packages/server/src/laws/hostile-input-laws.test.ts',
  'packages/server/src/laws/operation-laws.test.ts',
  'packages/engine/test/crash/ledger-run.test.ts',
  'packages/server/src/modules/triggers/watching/watches.test.ts',
  'packages/server/src/modules/connectors/code/pieces/pieces.test.ts',
  'packages/server/src/modules/approvals/deciding/races.test.ts',
  'packages/server/src/modules/events/deliveries/deliveries.test.ts',
  'packages/server/src/compose/killed-work.test.ts',
  'packages/server/src/modules/audit/streaming/streaming.test.ts',
  'packages/cli/src/start/start.test.ts',
  'packages/server/src/modules/agents/injection.test.ts',
  'packages/engine/test/crash/slow-calls.test.ts',
  'packages/server/src/modules/templates/run-templates.test.ts',
  'packages/server/src/compose/outage.test.ts',
  'packages/engine/src/postgres/storage/retention/retention.test.ts',
  'packages/server/src/modules/git/git.test.ts',
  'packages/engine/src/durable/run/pauses.test.ts',
  'packages/server/src/modules/triggers/triggers.test.ts',
  'packages/server/src/compose/start-server.test.ts',
  'packages/server/src/platform/db/embedded/start-embedded.test.ts',
  'packages/server/src/modules/speech/transcript-stream.test.ts',
  'packages/server/src/modules/approvals/mail/links.test.ts',
  'packages/engine/src/postgres/events/fair-shares.test.ts',
  'packages/server/src/modules/audit/log/log.test.ts',
  'packages/server/src/modules/connections/oauth/oauth.test.ts',
  'packages/server/src/laws/document-laws.test.ts',
  'packages/engine/test/crash/crash.test.ts',
  'packages/engine/src/postgres/open-engine.test.ts',
  'packages/engine/src/postgres/journal/flusher.test.ts',
  'packages/cli/src/examples.test.ts',
  'packages/cli/src/backup/backup.test.ts',
  'packages/cli/src/demo.test.ts',
  'packages/engine/src/effects/script/exhaustion.test.ts',
  'packages/web/e2e/trust.test.ts',
  'packages/web/e2e/journey.test.ts',
  'packages/web/e2e/building.test.ts',
  'packages/web/e2e/editor.test.ts',
  'packages/web/e2e/run.test.ts',
  'packages/web/e2e/draft-chaos.test.ts',
  'packages/web/e2e/forms.test.ts',
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
