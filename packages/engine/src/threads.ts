// Of the engine, threads for work that blocks: a pool whose accounts take turns, and what a thread runs.
export { createJobThreads } from '#threads/job-threads.ts'
export { performJobs } from '#threads/perform-jobs.ts'
export { startThread } from '#threads/thread.ts'
export { createThreadPool, ThreadPoolError } from '#threads/thread-pool.ts'
