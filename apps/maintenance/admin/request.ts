import { parseArgs } from 'node:util';
import { CommandError } from '../command.js';

export const USAGE = `Shows what the database says about all workspaces, and pauses or resumes webhooks.

  npm run --silent admin -- backlog                    how much is waiting, in all workspaces together
  npm run --silent admin -- webhooks                   the webhooks with the most pending deliveries
  npm run --silent admin -- webhooks --sort oldest     those with the oldest pending delivery
  npm run --silent admin -- webhooks --sort failing    those that have been failing longest
  npm run --silent admin -- workspaces                 the workspaces with the most pending deliveries
  npm run --silent admin -- workspaces --sort outbox   those with the most events not relayed yet
  npm run --silent admin -- workspaces --sort attempts those with the most attempts in the last hour
  npm run --silent admin -- workspaces --sort purge    those with the most deleted documents to purge
  npm run --silent admin -- users ada@example.com      a user, by verified email address or id, and their workspaces
  npm run --silent admin -- users --workspace <id>     the members of a workspace

  npm run --silent admin -- webhooks pause <id> --reason 'Floods the receiver, ticket 7'
  npm run --silent admin -- webhooks resume <id> --reason 'The receiver works again'

  --workspace <id>  only this workspace
  --limit <number>  maximum number of rows, 1 to 200 (default 20)
  --sort <order>    as above
  --json            JSON, with more fields and exact times
  --reason <text>   why you pause or resume a webhook; the admins of its workspace can read it

A + after a count means that number or more. All commands need DATABASE_URL, which may point to a standby unless
you pause or resume a webhook. Pausing and resuming also need SECRETS_KEYS.`;

/** The options that each command accepts. */
const COMMANDS = {
  backlog: ['json'],
  webhooks: ['json', 'workspace', 'limit', 'sort'],
  workspaces: ['json', 'workspace', 'limit', 'sort'],
  users: ['json', 'workspace', 'limit'],
};
const ACTIONS = ['pause', 'resume'] as const;
const ACTION_OPTIONS = ['reason'];
const MAX_LIMIT = 200;
const DEFAULT_LIMIT = '20';
const MAX_REASON_LENGTH = 500;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^[\da-f]{32}$/i;

export interface ViewRequest {
  command: keyof typeof COMMANDS;
  /** The id or email address of the user, for the command `users`. */
  user?: string;
  workspaceId?: string;
  sort?: string;
  limit: number;
  isJson: boolean;
}

interface ActionRequest {
  action: (typeof ACTIONS)[number];
  webhookId: string;
  reason: string;
}

/** Parses the command line. Returns undefined if the operator asks for help or names no command. */
export function parseRequest(args: string[]): ViewRequest | ActionRequest | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      json: { type: 'boolean' },
      workspace: { type: 'string' },
      limit: { type: 'string' },
      sort: { type: 'string' },
      reason: { type: 'string' },
    },
  });
  if (values.help || positionals.length === 0) return undefined;
  const [name = '', first, second, ...others] = positionals;
  if (!isCommand(name)) {
    const known = Object.keys(COMMANDS).join(', ');
    throw new CommandError(`There is no command ${name}: use ${known} or --help.`);
  }
  const action = ACTIONS.find((known) => known === first);
  if (name === 'webhooks' && action !== undefined) {
    refuseSurplus(`${name} ${action}`, others, Object.keys(values), ACTION_OPTIONS);
    return { action, webhookId: parseId('webhook', second), reason: parseReason(values.reason) };
  }
  const surplus = positionals.slice(name === 'users' ? 2 : 1);
  refuseSurplus(name, surplus, Object.keys(values), COMMANDS[name]);
  const { workspace, sort } = values;
  if (name === 'users' && (first ?? workspace) === undefined) {
    throw new CommandError('Specify a user (an email address or an id) or --workspace <id>.');
  }
  if (first !== undefined && !first.includes('@')) parseId('user', first);
  return {
    command: name,
    limit: parseLimit(values.limit ?? DEFAULT_LIMIT),
    isJson: values.json ?? false,
    ...(first !== undefined && { user: first }),
    ...(workspace !== undefined && { workspaceId: parseId('workspace', workspace) }),
    ...(sort !== undefined && { sort }),
  };
}

const isCommand = (name: string): name is ViewRequest['command'] => Object.hasOwn(COMMANDS, name);

/** Rejects surplus arguments. Otherwise, an operator who names two webhooks would believe that both are paused. */
function refuseSurplus(
  command: string,
  words: readonly string[],
  given: readonly string[],
  options: readonly string[],
): void {
  const [word] = words;
  const option = given.find((name) => !options.includes(name));
  const surplus = word === undefined ? option && `--${option}` : `"${word}"`;
  if (surplus) throw new CommandError(`${command} does not take ${surplus}: see --help.`);
}

/** Validates the `--sort` option. The first of `sorts` is the default. */
export function parseSort<Sort extends string>(sorts: readonly Sort[], sort?: string): Sort {
  const known = sort === undefined ? sorts[0] : sorts.find((each) => each === sort);
  if (known === undefined) throw new CommandError(`--sort must be one of ${sorts.join(', ')}.`);
  return known;
}

function parseId(what: string, id = ''): string {
  if (!UUID.test(id)) throw new CommandError(`Specify the id of the ${what}, a UUID.`);
  return id;
}

function parseReason(reason = ''): string {
  const trimmed = reason.trim();
  if (trimmed.length === 0 || trimmed.length > MAX_REASON_LENGTH) {
    throw new CommandError(
      `Give a reason of 1 to ${MAX_REASON_LENGTH} characters: --reason '…'. The admins of the workspace can read it.`,
    );
  }
  return trimmed;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new CommandError(`--limit must be a number from 1 to ${MAX_LIMIT}.`);
  }
  return limit;
}
