import { BackQuestion } from '#src/app/back-question.tsx'
import { SignInSheet } from '#src/app/sign-in-sheet.tsx'
import { StepUpSheet } from '#src/app/step-up-sheet.tsx'

/** What is asked over any page. */
export function Questions() {
  return (
    <>
      <BackQuestion />
      <StepUpSheet />
      <SignInSheet />
    </>
  )
}
