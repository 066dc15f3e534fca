import { performJobs } from '#threads/perform-jobs.ts'
import { performJob } from './perform-job.ts'
import type { ThreadJob } from './thread-job.ts'

/** The thread for work that takes too long for the thread that serves requests. */
performJobs<ThreadJob>((job) => ({ result: performJob(job) }))
