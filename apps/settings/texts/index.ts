import { common } from './common.js';
import { navigation } from './navigation.js';
import { roles } from './roles.js';
import { session } from './session.js';

/**
 * The texts of the settings area. A translation replaces this object, and the files below this folder that only
 * some views import: those load with their views, because the first view must load little JavaScript.
 */
export const texts = {
  common,
  navigation,
  roles,
  session,
};
