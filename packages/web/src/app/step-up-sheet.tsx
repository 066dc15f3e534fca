import { useStepUp } from '#src/session/step-up.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

/** Most visits ask for none. */
const Question = onDemand(async () => (await import('#src/app/step-up-question.tsx')).StepUpQuestion)

/** Asks for a proof of identity before something sensitive. */
export function StepUpSheet() {
  const answer = useStepUp((state) => state.answer)
  return answer === undefined ? null : <Question answer={answer} />
}
