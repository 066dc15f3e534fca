import { m } from '#src/messages/messages.ts'
import { useNewDraft } from '#src/pages/home/use-new-draft.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

/** Makes a draft of one step and opens it in the editor. */
export function StartEmpty() {
  const { startEmpty, busy, problem } = useNewDraft()
  return (
    <>
      <Button icon="plus" busy={busy} onClick={startEmpty}>
        {m.making.empty}
      </Button>
      {problem !== undefined && <ProblemPanel error={problem} />}
    </>
  )
}
