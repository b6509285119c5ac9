import { beforeAll, it } from '@jest/globals';
import { expectGoodAppearance } from './support/appearances.js';
import { createSample, type Sample } from './support/sample.js';
import { useBrowser, Visitor } from './support/visitor.js';

const EMAIL = 'ada@example.com';
let ada: Visitor;
let sample: Sample;

useBrowser();
beforeAll(async () => {
  sample = await createSample(EMAIL);
  ada = await Visitor.signIn(EMAIL, `/settings/w/${sample.workspaceId}/members`);
});

it('looks good and is accessible: a dialog', async () => {
  await ada.open(`/settings/w/${sample.workspaceId}/members`);
  await ada.page.getByRole('button', { name: 'Invite member' }).click();
  await ada.page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  await expectGoodAppearance(ada.page, 'dialog');
});

it('looks good and is accessible: the deletion of a module in use', async () => {
  await ada.open(`/settings/w/${sample.workspaceId}/modules/${sample.footerId}`);
  await ada.page.getByRole('button', { name: 'Delete' }).click();
  await ada.page.getByText('2 templates use this module').waitFor();
  await expectGoodAppearance(ada.page, 'module-delete');
});

it('looks good and is accessible: the tags of a template', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/templates/${sample.letterId}`);
  await page.getByRole('button', { name: 'Edit tags' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expectGoodAppearance(page, 'template-tags');
});

it('looks good and is accessible: the new name of a tag', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/tags`);
  await page.getByRole('button', { name: 'Actions for the tag “2026”' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').waitFor();
  // While the menu closes, axe finds a menu without items.
  await page.locator('[role=menu]').waitFor({ state: 'detached' });
  await expectGoodAppearance(page, 'tag-rename');
});

it('looks good and is accessible: a restore from the trash', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/trash`);
  await page.getByRole('button', { name: 'Restore “Imprint”' }).click();
  await page.getByText('“Imprint” was restored').waitFor();
  await page.getByRole('button', { name: /^Delete “Winter menu/ }).click();
  await page.getByRole('dialog').waitFor();
  await expectGoodAppearance(page, 'trash-purge');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expectGoodAppearance(page, 'trash-restored');
});

it('looks good and is accessible: the label and note of a version', async () => {
  await ada.open(`/settings/w/${sample.workspaceId}/templates/${sample.letterId}`);
  await ada.page.getByRole('button', { name: 'Edit label and note' }).click();
  await ada.page.getByRole('dialog').waitFor();
  await expectGoodAppearance(ada.page, 'version-label');
});

it('looks good and is accessible: the restore of a version', async () => {
  await ada.open(`/settings/w/${sample.workspaceId}/modules/${sample.footerId}/versions/1`);
  await ada.page.getByRole('button', { name: 'Restore this version' }).click();
  await ada.page.getByRole('dialog').waitFor();
  await expectGoodAppearance(ada.page, 'version-restore');
});

it('looks good and is accessible: an update of pins', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/modules/${sample.footerId}/usages`);
  await page.getByRole('button', { name: 'Count templates' }).click();
  await page.getByRole('button', { name: 'Move pins' }).click();
  await page.getByRole('row', { name: 'Done 1 of 1' }).waitFor();
  await page.getByRole('combobox', { name: 'Pin to' }).click();
  await page.getByRole('option', { name: 'Version 1' }).click();
  await page.getByRole('button', { name: 'Count templates' }).click();
  await page.getByText('1 template will change.').waitFor();
  await expectGoodAppearance(page, 'module-usages-update');
});

it('looks good and is accessible: the publication of a version at a later time', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/templates/${sample.letterId}/publishing`);
  await page.getByRole('button', { name: 'Publish to production' }).click();
  await page.getByRole('radio', { name: 'At a later time' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Choose a time in the future.').waitFor();
  await expectGoodAppearance(page, 'publish');
});

it('looks good and is accessible: unpublishing', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/templates/${sample.letterId}/publishing`);
  await page.getByRole('button', { name: 'Unpublish from production' }).click();
  await page.getByRole('dialog').waitFor();
  await expectGoodAppearance(page, 'unpublish');
});

it('looks good and is accessible: the deletion of an environment in use', async () => {
  const { page } = ada;
  ada.expectProblems(/status of 409/);
  await ada.open(`/settings/w/${sample.workspaceId}/environments`);
  await page.getByRole('button', { name: 'Delete staging' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The environment is in use').waitFor();
  await expectGoodAppearance(page, 'environment-delete');
});

it('looks good and is accessible: a new API key that is limited to an environment', async () => {
  const { page } = ada;
  await ada.open(`/settings/w/${sample.workspaceId}/api-keys`);
  await page.getByRole('button', { name: 'Create API key' }).click();
  const access = page.getByRole('combobox', { name: 'Access' });
  await access.selectOption('Only what is published in staging');
  await expectGoodAppearance(page, 'api-key-new');
});
