// A program loads this file first. Then it reports that it runs every 100 ms, and a program that has not reported
// for two seconds counts as ended.
import { KEY_ROTATION_TIMES } from '../../../dist/libs/key-rotation/key-rotation.js';

KEY_ROTATION_TIMES.beatMs = 100;
KEY_ROTATION_TIMES.missedBeats = 20;
