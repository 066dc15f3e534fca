import { getPriority } from 'node:os'
import { performJobs } from '#threads/perform-jobs.ts'

/** The jobs of the test thread. */
export type OddJob = 'priority' | 'throw' | 'fill memory' | 'loop' | 'exit' | 'function' | { readonly say: string }

performJobs((job: OddJob): unknown => {
  if (typeof job === 'object') return job.say
  switch (job) {
    case 'priority':
      return getPriority(0)
    case 'throw':
      throw new Error('a job that throws')
    case 'fill memory':
      return fillMemory()
    case 'loop':
      for (;;);
    case 'exit':
      return process.exit(3)
    case 'function':
      return () => 1
  }
})

function fillMemory(): never {
  const all: unknown[] = []
  for (;;) all.push(Array.from({ length: 1_000 }, () => ({})))
}
