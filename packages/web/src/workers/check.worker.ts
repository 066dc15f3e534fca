import { createCheckAnswers } from '#src/rehearse/check.ts'
import { answerCalls } from '#src/workers/answer-calls.ts'

// Validates, corrects and rehearses definitions.
answerCalls(createCheckAnswers())
