import { filled, inBody, inPath, inQuery, list, neededInBody, text, whole } from '#modules/connectors/built-in/parameters.ts'

const task_id = inPath()

/** Source: https://developer.todoist.com/api/v1. */
export const todoist = {
  connector: '1.0',
  title: 'Todoist',
  servers: ['https://api.todoist.com/api/v1'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'createTask',
      summary: 'Creates a task.',
      method: 'post',
      path: '/tasks',
      parameters: {
        content: neededInBody(filled(500)),
        description: inBody(text(16_383)),
        project_id: inBody(text()),
        due_string: inBody(text(150), 'Such as tomorrow at 12.'),
        due_date: inBody(text()),
        priority: inBody(whole(1, 4)),
        labels: inBody(list(100, text())),
      },
    },
    {
      name: 'listTasks',
      summary: 'Lists open tasks.',
      method: 'get',
      path: '/tasks',
      parameters: { project_id: inQuery(text()), label: inQuery(text()), limit: inQuery(whole(1, 200)), cursor: inQuery(text()) },
    },
    {
      name: 'updateTask',
      summary: 'Changes a task.',
      method: 'post',
      path: '/tasks/{task_id}',
      parameters: {
        task_id,
        content: inBody(text(500)),
        description: inBody(text(16_383)),
        due_string: inBody(text(150)),
        priority: inBody(whole(1, 4)),
        labels: inBody(list(100, text())),
      },
    },
    { name: 'closeTask', summary: 'Completes a task.', method: 'post', path: '/tasks/{task_id}/close', parameters: { task_id } },
    {
      name: 'listProjects',
      summary: 'Lists projects.',
      method: 'get',
      path: '/projects',
      parameters: { limit: inQuery(whole(1, 200)), cursor: inQuery(text()) },
    },
  ],
}
