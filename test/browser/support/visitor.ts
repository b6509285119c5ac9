import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type LaunchOptions,
  type Page,
} from 'playwright-core';
import { galleyUrl } from './stack.js';

export const SCREENSHOTS = 'test/browser/screenshots';
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

// Long enough for a busy machine.
const TIMEOUT_MS = 30_000;
// The header of the page covers the top of the window.
const HEADER_HEIGHT = 56;
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];

declare global {
  /** Set by the environment of the tests. */
  var hasTestFailed: boolean;
}

let browser: Browser;
const visitors: Visitor[] = [];

/**
 * Starts a browser for the test file. Errors on a page fail the test, and after a test that failed a screenshot
 * shows what each visitor saw last.
 */
export function useBrowser(options: LaunchOptions = {}): void {
  beforeAll(async () => {
    const executablePath = process.env['GALLEY_TEST_CHROMIUM'] ?? '';
    browser = await chromium.launch({ executablePath, args: ARGUMENTS, ...options });
  });
  afterEach(async () => {
    const problems = visitors.flatMap((visitor) => visitor.takeProblems());
    if (hasTestFailed || problems.length > 0) await takeScreenshots();
    expect(problems).toEqual([]);
  });
  afterAll(() => browser.close());
}

async function takeScreenshots(): Promise<void> {
  const { currentTestName = '' } = expect.getState();
  for (const [index, { page }] of visitors.entries()) {
    const name = `${currentTestName.replaceAll(/\W+/g, '-')}-${index + 1}.png`;
    await page.screenshot({ path: join(SCREENSHOTS, 'failed', name) });
  }
}

/** A person with a new browser, which has no cookies and no cache. */
export class Visitor {
  #problems: string[] = [];
  #expectedProblems: RegExp[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.setDefaultTimeout(TIMEOUT_MS);
    // Errors on the console include responses with an error status and violations of the
    // Content-Security-Policy.
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#problems.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.#problems.push(`page: ${error.stack ?? error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // The page cancels the requests of a view when the visitor leaves the view.
      if (reason !== 'net::ERR_ABORTED') {
        this.#problems.push(`request: ${reason} (${request.url()})`);
      }
    });
  }

  static async arrive(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: galleyUrl,
      viewport: WIDE,
      colorScheme: 'light',
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const visitor = new Visitor(context, await context.newPage());
    visitors.push(visitor);
    return visitor;
  }

  /** Opens a view in a new browser, and signs in on the provider's page. `options.baseURL` chooses another Galley. */
  static async signIn(
    email: string,
    path = '/settings',
    options?: BrowserContextOptions,
  ): Promise<Visitor> {
    const visitor = await Visitor.arrive(options);
    await visitor.open(path);
    await visitor.fillSignIn(email);
    return visitor;
  }

  open(path: string): Promise<unknown> {
    return this.page.goto(path);
  }

  async fillSignIn(email: string): Promise<void> {
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    // The provider's page has a heading of the first level, too.
    await this.page.waitForURL(
      ({ pathname }) => pathname.startsWith('/settings') && !pathname.endsWith('/signed-in'),
    );
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** The name of the element that has the keyboard focus: its text, or the label of an input. */
  focusedName(): Promise<string> {
    return this.page.evaluate<string>(
      `(({ labels, innerText }) => (labels?.[0] ?? { innerText }).innerText.replace(/ \\*$/, '').trim())(document.activeElement)`,
    );
  }

  /** Whether the whole element is in the window, below the header of the page. */
  async sees(element: Locator): Promise<boolean> {
    const box = await element.boundingBox();
    const size = this.page.viewportSize();
    if (box === null || size === null) return false;
    return box.y >= HEADER_HEIGHT && box.y + box.height <= size.height;
  }

  /** Allows errors that a test provokes. All other errors fail the test. */
  expectProblems(...patterns: RegExp[]): void {
    this.#expectedProblems.push(...patterns);
  }

  takeProblems(): string[] {
    const problems = this.#problems.filter(
      (problem) => !this.#expectedProblems.some((pattern) => pattern.test(problem)),
    );
    this.#problems = [];
    this.#expectedProblems = [];
    return problems;
  }

  async leave(): Promise<void> {
    await this.context.close();
    visitors.splice(visitors.indexOf(this), 1);
    expect(this.takeProblems()).toEqual([]);
  }
}
