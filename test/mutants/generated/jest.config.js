import config from '../../../jest.config.js';

const unit = config.projects.find(({ displayName }) => displayName === 'unit');

/** The project `unit`: Stryker runs one project. The tests are those of an area (`areas.ts`). */
export default { ...unit, displayName: undefined, rootDir: '../../..', roots: ['<rootDir>/libs'] };
