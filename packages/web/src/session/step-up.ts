import { create } from 'zustand'

interface StepUp {
  /** Ends the question; absent while nothing is asked. */
  readonly answer: ((proved: boolean) => void) | undefined
}

export const useStepUp = create<StepUp>(() => ({ answer: undefined }))

/** Asks the person for a proof of identity; false when they decline. */
export function proveIdentity(): Promise<boolean> {
  return new Promise((resolve) => {
    useStepUp.getState().answer?.(false)
    useStepUp.setState({
      answer: (proved) => {
        useStepUp.setState({ answer: undefined })
        resolve(proved)
      },
    })
  })
}
