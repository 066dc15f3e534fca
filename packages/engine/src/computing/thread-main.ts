import { performJobs } from '#threads/perform-jobs.ts'
import { performJob } from './perform-job.ts'
import type { ThreadJob } from './thread-job.ts'

/** The thread that does what takes too long for the one that serves requests. */
performJobs<ThreadJob>((job) => ({ result: performJob(job) }))
