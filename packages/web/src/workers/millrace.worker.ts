import { type Answers, answerCalls } from '#src/workers/answer-calls.ts'

const works: Readonly<Record<string, () => Promise<Answers>>> = {
  document: () => import('#src/document/document-answers.ts').then(({ createDocumentAnswers }) => createDocumentAnswers()),
  check: () => import('#src/rehearse/check.ts').then(({ createCheckAnswers }) => createCheckAnswers()),
  decisions: () => import('#src/rehearse/decisions.ts').then(({ decisionsOf }) => ({ decisionsOf })),
}

// One file for all workers, so that they share what both load. The name of a worker says what it does.
answerCalls(works[self.name] ?? (() => Promise.reject(new Error('not a work'))))
